import { describe, expect, it } from 'vitest'
import { Html, html, jsonOf, jsonText, proseOf } from '../../../src/http/docs/html.ts'

describe('markup', () => {
  it('escapes whatever is put into it, unless it is markup', () => {
    const evil = '<script>"&'
    expect(html`<p title="${evil}">${evil}${new Html('<b>')}</p>`.text).toBe(
      '<p title="&lt;script&gt;&quot;&amp;">&lt;script&gt;&quot;&amp;<b></p>',
    )
  })

  it('takes lists, and leaves out what is not there', () => {
    expect(html`${['a', html`<i>b</i>`]}${null}${undefined}${false}${0}`.text).toBe('a<i>b</i>0')
  })
})

describe('prose', () => {
  it('has paragraphs, lists and code', () => {
    expect(proseOf('One `a<b`.\n\n- two\n- `three`').text).toBe(
      '<p>One <code>a&lt;b</code>.</p><ul><li>two</li><li><code>three</code></li></ul>',
    )
  })
})

describe('JSON', () => {
  it('tells keys from texts, also where quotes are quoted', () => {
    expect(jsonText('{"a": "b", "c": "d \\"e\\" <", "f": 1}')).toBe(
      '{<span class="key">&quot;a&quot;</span>: <span class="text">&quot;b&quot;</span>, ' +
        '<span class="key">&quot;c&quot;</span>: <span class="text">&quot;d \\&quot;e\\&quot; &lt;&quot;</span>, ' +
        '<span class="key">&quot;f&quot;</span>: 1}',
    )
  })

  it('stays what it is for whoever copies it', () => {
    const value = { a: '"\\', b: ['<&>', ':"', ''], c: '\\"', 'd"': null }
    const text = jsonOf(value)
      .text.replaceAll(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    expect(JSON.parse(text)).toEqual(value)
  })
})
