import { describe, expect, it } from 'vitest'
import { judge, renderReport, renderTable } from '../../bench/harness/report.ts'

const machine = { cpu: 'Test CPU', cores: 2, memory_gb: 8, platform: 'linux x64', node: '22.0.0' }

describe('bars', () => {
  it('hold on their own side, edge included', () => {
    const bars = { get_ratio: { atLeast: 0.35 }, p99_ms: { atMost: 5 } }
    expect(judge(bars, { get_ratio: 0.35, p99_ms: 5 })).toEqual([
      { name: 'get_ratio', value: 0.35, at_least: 0.35, ok: true },
      { name: 'p99_ms', value: 5, at_most: 5, ok: true },
    ])
    expect(judge(bars, { get_ratio: 0.349, p99_ms: 5.01 }).map((bar) => bar.ok)).toEqual([false, false])
  })

  it('are missed by a figure that was not measured or is no number', () => {
    const bars = { get_ratio: { atLeast: 0 }, p99_ms: { atMost: 5 } }
    expect(judge(bars, { get_ratio: Number.NaN })).toEqual([
      { name: 'get_ratio', value: null, at_least: 0, ok: false },
      { name: 'p99_ms', value: null, at_most: 5, ok: false },
    ])
  })
})

describe('the table', () => {
  it('shows every figure, its bar and the machine', () => {
    const figures = { get_ratio: 0.41236, gets_per_s: 51_234.4 }
    const bars = judge({ get_ratio: { atLeast: 0.5 }, p99_ms: { atMost: 5 } }, figures)
    expect(renderReport({ name: 'http', machine, figures, bars }).split('\n')).toEqual([
      'http',
      'figure             value  bar',
      '──────────  ────────────  ────────────',
      'get_ratio         0.4124  ≥ 0.5 MISSED',
      'gets_per_s        51,234',
      'p99_ms      not measured  ≤ 5 MISSED',
      'Test CPU, 2 cores, 8 GB, linux x64, Node 22.0.0',
    ])
  })

  it('leaves a cell empty where a row has no such column', () => {
    expect(renderTable('t', [{ a: 1 }, { b: 'x' }])).toBe('t\na  b\n─  ─\n1\n   x')
  })
})
