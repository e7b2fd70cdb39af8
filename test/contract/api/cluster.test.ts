import { contractArea } from './area.ts'
import { clusterCases, clusterSamples } from './areas/cluster.ts'

contractArea('the cluster', { samples: clusterSamples, cases: clusterCases })
