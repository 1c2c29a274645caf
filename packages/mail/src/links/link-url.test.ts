import { describe, expect, it } from 'vitest'
import { mask } from '../template/scan-liquid.ts'
import { urlKind } from './link-url.ts'

describe('urlKind', () => {
  it.each([
    ['https://x.example', 'web'],
    ['HTTP://x.example/a?b#c', 'web'],
    [' \n https://x.example', 'web'],
    ['ht\ntps://x.example', 'web'],
    [`https://x.example/${mask}${mask}`, 'web'],
    [`https://${mask}.example`, 'web'],
    [`${mask}${mask}/a`, 'template'],
    ['mailto:a@b.example?subject=x', 'contact'],
    ['tel:+49', 'contact'],
    ['#top', 'anchor'],
    ['', 'empty'],
    ['  ', 'empty'],
    ['/path', 'relative'],
    ['//x.example', 'relative'],
    ['www.x.example', 'relative'],
    ['https://', 'relative'],
    ['http:x', 'relative'],
    ['*|UNSUB|*', 'foreign'],
    ['[[PERMALINK]]', 'foreign'],
    ['%recipient.url%', 'foreign'],
    ['%%view%%', 'foreign'],
    ['javascript:alert(1)', 'dangerous'],
    ['  JavaScript:alert(1)', 'dangerous'],
    ['java\tscr\nipt:alert(1)', 'dangerous'],
    ['\u0001javascript:alert(1)', 'dangerous'],
    ['vbscript:x', 'dangerous'],
    ['data:text/html,x', 'dangerous'],
    ['file:///etc/passwd', 'dangerous'],
    ['ftp://x.example', 'unsupported'],
    ['myapp://open', 'unsupported'],
  ])('%j is %s', (url, kind) => {
    expect(urlKind(url)).toBe(kind)
  })
})
