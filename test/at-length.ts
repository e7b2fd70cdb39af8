/**
 * Campaigns and searches are short in `npm test`: each kind of fault is met, and met seldom. `TESTS_AT_LENGTH=true npm test -- FILE`
 * has their long form.
 */
export const atLength = <Value>(short: Value, long: Value): Value =>
  process.env['TESTS_AT_LENGTH'] === 'true' ? long : short
