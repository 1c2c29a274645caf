import { describe, expect, it } from 'vitest'
import { readUnsubscribeWays } from './list-unsubscribe.ts'
import { readMailLinks } from './mail-links.ts'

describe('readMailLinks', () => {
  it('finds images and links in order, each once', () => {
    const html = `<A class="x" HREF="https://a.test/1?x=1&amp;y=2">a</A><a href='http://a.test/2'>b</a>
      <a href="https://a.test/1?x=1&amp;y=2">again</a><img width=1 src="https://a.test/o.gif"><area href="https://a.test/3">`
    expect(readMailLinks(html)).toEqual({
      links: ['https://a.test/1?x=1&y=2', 'http://a.test/2', 'https://a.test/3'],
      images: ['https://a.test/o.gif'],
    })
  })

  it('ignores what is not a web URL', () => {
    const html = `<a href="mailto:a@b.test">m</a><a href="javascript:alert(1)">j</a><a href="https://">e</a>
      <img src="cid:1"><img src="data:image/gif;base64,AAAA"><abbr href="https://a.test/no">`
    expect(readMailLinks(html)).toEqual({ links: [], images: [] })
  })

  it('stops at 200 links and takes linear time', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `<a href="https://a.test/${index}">x</a>`).join(
      '',
    )
    expect(readMailLinks(many).links).toHaveLength(200)
    const hostile = ['<a ', '<img src="', "<a href='", '<a href=', '<a \t']
    for (const text of hostile) expect(readMailLinks(text.repeat(200_000))).toEqual({ links: [], images: [] })
    expect(readMailLinks(`<a${' '.repeat(500_000)}<img${' src'.repeat(100_000)}`)).toEqual({
      links: [],
      images: [],
    })
  })
})

const ways = (...fields: string[]) => readUnsubscribeWays(Buffer.from(`${fields.join('\r\n')}\r\n\r\n`))

describe('readUnsubscribeWays', () => {
  it('parses both methods', () => {
    expect(
      ways(
        'List-Unsubscribe: <mailto:u@b.test?subject=out%20please>,\r\n <https://a.test/u/1>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      ),
    ).toEqual({
      oneClick: 'https://a.test/u/1',
      mailto: { to: 'u@b.test', subject: 'out please', body: 'unsubscribe' },
    })
  })

  it('does not post if one-click is not offered', () => {
    expect(ways('List-Unsubscribe: <https://a.test/u/1>')).toEqual({ oneClick: null, mailto: null })
  })

  it('removes line breaks from the message it will send', () => {
    const { mailto } = ways('List-Unsubscribe: <mailto:u@b.test?subject=a%0D%0ABcc:%20x@y.test>')
    expect(mailto?.subject).toBe('a Bcc: x@y.test')
    expect(ways('List-Unsubscribe: <mailto:a%0d%0ab@b.test>').mailto).toBeNull()
  })
})
