/** The variable in which a run of tests tells one that it starts where its engines are asked for. */
export const ENGINES_OF = 'TEST_ENGINES_OF'
