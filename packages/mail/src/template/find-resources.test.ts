import { expect, test } from 'vitest'
import { growthOf, MAX_GROWTH } from '../test/growth.ts'
import { baseOf, findResources, replaceUrls } from './find-resources.ts'

const source = `<html><head><style>.a{background:url("bg.png")} @import url(x.css);</style>
<link rel="stylesheet" href="main.css"></head>
<body background='b.gif'><a href="/go?a=1&amp;b=2">x</a><a href="#top">t</a><a href="{{ link.unsubscribe }}">u</a>
<img src="a b.png" srcset="a.png 1x, a2.png 2x"><img src="data:image/png;base64,AAAA"><img src="{{ x }}.png">
<!--[if mso]><v:fill src="v.png"/><![endif]--><td style="background-image: url(&quot;c.png&quot;)"></td>
</body></html>`

test('images, links and style sheets are found with their lines, those with Liquid are not', () => {
  const found = findResources(source).map(({ kind, url, line }) => [kind, url, line])
  expect(found).toEqual([
    ['image', 'bg.png', 1],
    ['link', 'x.css', 1],
    ['stylesheet', 'main.css', 2],
    ['image', 'b.gif', 3],
    ['link', '/go?a=1&b=2', 3],
    ['image', 'a b.png', 4],
    ['image', 'a.png', 4],
    ['image', 'a2.png', 4],
    ['image', 'v.png', 5],
    ['image', 'c.png', 5],
  ])
})

test('replacing URLs changes no other byte, whatever is in them', () => {
  const resources = findResources(source)
  expect(replaceUrls(source, resources, () => null)).toBe(source)
  const hostile = `https://example.com/"'<x>)&{`
  const replaced = replaceUrls(source, resources, () => hostile)
  expect(replaced.length).toBeGreaterThan(source.length)
  expect(replaced).not.toContain(`"'`)
  expect(findResources(replaced)).toHaveLength(resources.length)
})

test('the base of relative URLs is the one of the page', () => {
  expect(baseOf('<base href="https://example.com/a/"><img src="b.png">')).toBe('https://example.com/a/')
  expect(baseOf('<img src="b.png">')).toBeNull()
})

test.each(['url(', 'url("', '<img src="', '<a href=x>', "srcset='a,", '{{', '<style>url('])(
  'many %s are read in linear time',
  piece => {
    expect(growthOf(size => findResources(piece.repeat(size / piece.length)))).toBeLessThan(MAX_GROWTH)
    expect(growthOf(size => findResources(`<style>${piece.repeat(size / piece.length)}`))).toBeLessThan(
      MAX_GROWTH,
    )
  },
)
