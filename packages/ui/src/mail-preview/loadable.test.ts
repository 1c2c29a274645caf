import { describe, expect, it } from 'vitest'
import { isSrcsetLoadable, loadableCss, loadableOf } from './loadable.ts'

const base = 'http://emma.example:8080/templates/archive'
const open = loadableOf(true, base)
const strict = loadableOf(false, base)

describe('loadableOf', () => {
  it.each([
    ['https://x.example/a.png', true, false],
    ['HTTPS://x.example/a.png', true, false],
    ['http://x.example/a.png', false, false],
    ['http://emma.example:8080/a.png', true, false],
    ['http://emma.example:8081/a.png', true, false],
    ['http://other.example:8080/a.png', false, false],
    ['a.png', true, false],
    ['//x.example/a.png', false, false],
    ['cid:logo', false, false],
    [' data:image/gif;base64,AA', true, true],
    ['http://', false, false],
  ])('%s loads with remote content: %s, without: %s', (address, withRemote, without) => {
    expect(open(address)).toBe(withRemote)
    expect(strict(address)).toBe(without)
  })
})

describe('loadableCss', () => {
  it.each([
    ['@import url("https://x.example/f.css"); p{color:red}', ' p{color:red}'],
    ["@import 'https://x.example/f.css' screen;p{color:red}", 'p{color:red}'],
    ['p{background:url(http://x.example/a.png) red}', 'p{background:url("data:,") red}'],
    ["p{background:url('https://x.example/a.png')}", "p{background:url('https://x.example/a.png')}"],
    ['@font-face{font-family:A;src:url("http://x.example/a.woff")}p{font:A}', 'p{font:A}'],
    [
      '@font-face{font-family:A;src:url(https://x.example/a.woff)}',
      '@font-face{font-family:A;src:url(https://x.example/a.woff)}',
    ],
  ])('%s', (css, left) => expect(loadableCss(css, open)).toBe(left))
})

it('keeps a srcset if all its images may load', () => {
  expect(isSrcsetLoadable('https://x.example/a.png 1x, https://x.example/b.png 2x', open)).toBe(true)
  expect(isSrcsetLoadable('https://x.example/a.png 1x, http://x.example/b.png 2x', open)).toBe(false)
  expect(isSrcsetLoadable('https://x.example/a.png 1x', strict)).toBe(false)
})
