import { describe, expect, it } from 'vitest'
import {
  choice,
  copies,
  file,
  flag,
  integer,
  list,
  InvalidValue,
  networks,
  text,
  unitOf,
  url,
} from '../../src/config/setting.ts'

describe('a setting', () => {
  it('that is a number takes its bounds and nothing beyond', () => {
    const setting = integer('VOUCHSAFE_X_MS', { default: 5, min: 1, max: 10, doc: 'X.' })
    expect([setting.parse('1'), setting.parse('10')]).toEqual([1, 10])
    expect([setting.parse('0'), setting.parse('11'), setting.parse(''), setting.parse('5 ')]).toEqual(
      Array.from({ length: 4 }, () => new InvalidValue('must be a whole number from 1 to 10')),
    )
  })

  it('that is a choice takes one of its words', () => {
    const setting = choice('VOUCHSAFE_X', { choices: ['a', 'b'], default: 'a', doc: 'X.' })
    expect(setting.parse('b')).toBe('b')
    expect(setting.parse('B')).toEqual(new InvalidValue('must be one of a, b'))
  })

  it('that is a flag takes true and false only', () => {
    const setting = flag('VOUCHSAFE_X', { default: true, doc: 'X.' })
    expect([setting.parse('true'), setting.parse('false')]).toEqual([true, false])
    expect(setting.parse('1')).toBeInstanceOf(InvalidValue)
  })

  it('that is a list of copies takes each datacenter once, with as many as there may be', () => {
    const setting = copies('VOUCHSAFE_X', { default: [], doc: 'X.' })
    expect(setting.parse('east:3, west-2:1')).toEqual([
      { datacenter: 'east', copies: 3 },
      { datacenter: 'west-2', copies: 1 },
    ])
    for (const wrong of ['east', 'east:0', 'east:10', 'east:3,east:2', "ea'st:3", 'east:3,'])
      expect(setting.parse(wrong), wrong).toBeInstanceOf(InvalidValue)
  })

  it('that is a list refuses an empty entry', () => {
    const setting = list('VOUCHSAFE_X', { default: [], doc: 'X.' })
    expect(setting.parse(' a ,b')).toEqual(['a', 'b'])
    expect(setting.parse('a,,b')).toBeInstanceOf(InvalidValue)
  })

  it('that names networks takes addresses and prefixes of both families', () => {
    const setting = networks('VOUCHSAFE_X', { default: [], doc: 'X.' })
    expect(setting.parse('10.0.0.0/8, ::1,fd00::/8,192.0.2.1')).toHaveLength(4)
    for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', 'fd00::/129', '10.0.0.0/x', '10.0.0.1,'])
      expect(setting.parse(wrong)).toBeInstanceOf(InvalidValue)
  })

  it('that is an address takes http and https, without a slash at the end', () => {
    const setting = url('VOUCHSAFE_X', { default: '', doc: 'X.' })
    expect(setting.parse('https://a.example/base/')).toBe('https://a.example/base')
    const wrong = ['a.example', 'ftp://a', 'http://a/?q=1', 'http://a/#x', '//a']
    expect(wrong.filter((address) => !(setting.parse(address) instanceof InvalidValue))).toEqual([])
  })

  it('that is text or a file is taken as it is', () => {
    expect(text('VOUCHSAFE_X', { default: '', doc: 'X.' }).parse('a b')).toBe('a b')
    expect(file('VOUCHSAFE_X', { default: '', doc: 'X.' }).parse('a/b.pem')).toBe('a/b.pem')
  })

  it('has the unit that its name ends with', () => {
    expect(['A_MS', 'A_BYTES_MAX', 'A_PER_MINUTE', 'A_MAX'].map(unitOf)).toEqual([
      'milliseconds',
      'bytes',
      'per minute',
      '',
    ])
  })
})
