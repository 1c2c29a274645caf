import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import type { ContentSource } from './content-source.ts'
import { ContentError } from './template-error.ts'

const base: ContentSource = {
  subject: 'Hello {{ member.firstname | default: "friend" }}',
  preheader: '',
  html: '',
  text: '',
  modules: [],
  known: { member: ['firstname', 'city', 'url'], campaign: ['id', 'name'], client: ['name', 'imprint'] },
  trackingBase: 'https://t.example/',
  isTracked: true,
}

const data: MergeData = {
  member: { firstname: 'Ada & <Co>', city: 'Köln', url: 'https://a.example/?x="y"' },
  campaign: { id: 7, name: 'Spring' },
  client: { name: 'ACME', imprint: 'ACME, Main Street' },
  token: 'TOKEN',
  pageToken: 'PAGE',
}

async function render(source: Partial<ContentSource>, merge: MergeData = data) {
  const compiled = await compileContent({ ...base, ...source })
  return {
    ...compiled,
    subject: renderSegments(compiled.subject, merge),
    html: renderSegments(compiled.html, merge),
    text: renderSegments(compiled.text, merge),
  }
}

async function codes(source: Partial<ContentSource>): Promise<string[]> {
  const { warnings } = await compileContent({ ...base, ...source })
  return warnings.map(({ code, severity }) => `${severity} ${code}`)
}

async function errors(source: Partial<ContentSource>): Promise<string[]> {
  try {
    await compileContent({ ...base, ...source })
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    return error.errors.map(one => `${one.part} ${one.line}:${one.column} ${one.message}`)
  }
  return []
}

describe('compileContent', () => {
  it('tracks links in HTML and text and adds the pixel', async () => {
    const { html, text, links } = await render({
      html: '<html><body><a href="https://a.example/?x=1&amp;y={{ member.city }}">A</a> <a href="https://b.example">B</a></body></html>',
      text: 'A: https://b.example and https://c.example.',
    })
    expect(html).toBe(
      '<html><body><a href="https://t.example/t/c/TOKEN/0">A</a> <a href="https://t.example/t/c/TOKEN/1">B</a><img src="https://t.example/t/o/TOKEN.gif" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0"></body></html>',
    )
    expect(text).toBe('A: https://t.example/t/c/TOKEN/1 and https://t.example/t/c/TOKEN/2.')
    expect(links.map(link => link.url)).toEqual([
      'https://a.example/?x=1&y={{ member.city }}',
      'https://b.example',
      'https://c.example',
    ])
  })

  it('writes system links, tracked or not', async () => {
    const html =
      '<a href="{{ link.unsubscribe }}">u</a><a href="{{ link.browser }}">b</a><a href={{link.preferences}}>p</a><a href="https://w.example/?u={{ link.doi | url_encode }}">d</a>'
    const expected =
      '<a href="https://t.example/u/PAGE">u</a><a href="https://t.example/t/b/PAGE">b</a><a href="https://t.example/u/PAGE/preferences">p</a><a href="https://w.example/?u=https%3A%2F%2Ft.example%2Fu%2FPAGE%2Fconfirm">d</a>'
    expect((await render({ html, isTracked: false })).html).toBe(expected)
    expect((await render({ html })).html.startsWith(expected)).toBe(true)
    expect((await render({ text: 'Bye: {{ link.unsubscribe }}' })).text).toBe('Bye: https://t.example/u/PAGE')
  })

  it('leaves other links, inactive ones and opted-out ones unchanged', async () => {
    const html =
      '<a href="mailto:a@b.example">m</a><a href="tel:+49">t</a><a href="#x">x</a><a href="https://off.example/?a=1&amp;b">off</a><a href="https://no.example" data-emma-track="no">no</a>'
    const { html: rendered, links } = await render({
      html,
      links: [{ name: 'off', url: 'https://off.example/?a=1&b', is_active: false }],
    })
    expect(rendered.startsWith(html.replace(' data-emma-track="no"', ''))).toBe(true)
    expect(links.map(link => link.is_active)).toEqual([false, false])
  })

  it('preserves the active state of links while the message is not tracked', async () => {
    const html = '<a href="https://a.example">a</a><a href="https://b.example">b</a>'
    const { html: rendered, links } = await render({
      html,
      isTracked: false,
      links: [{ name: 'b', url: 'https://b.example', is_active: false }],
    })
    expect(rendered).toBe(html)
    expect(links.map(link => link.is_active)).toEqual([true, false])
  })

  it('leaves other markup byte-identical', async () => {
    const html = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN">\r\n<HTML xmlns:v="urn:x">\n<Body bgcolor=#fff  >
<!--[if mso]><table><tr><td><![endif]-->\t<p CLASS='x'  id = y>&nbsp;&copy &lt;<br/><img src=a.png alt=''>
<td>loose</td> 1 < 2 & 3 <![if !mso]>z<![endif]>
<!--[if mso]></td></tr></table><![endif]--></Body></HTML>\n`
    expect((await render({ html, isTracked: false })).html).toBe(html)
  })

  it('tracks links inside conditional comments', async () => {
    const { html } = await render({
      html: '<!--[if mso]><v:rect href="https://a.example">x</v:rect><![endif]-->',
    })
    expect(html).toContain('<!--[if mso]><v:rect href="https://t.example/t/c/TOKEN/0">x</v:rect><![endif]-->')
  })

  it('tracks links inside conditions and loops', async () => {
    const {
      html,
      html: _,
      ...rest
    } = await render({
      html: '{% if member.city == "Köln" %}<a href="https://a.example">k</a>{% else %}<a href="https://b.example">b</a>{% endif %}{% for i in (1..2) %}<a href="https://c.example">{{ i }}</a>{% endfor %}',
    })
    expect(html).toContain(
      '<a href="https://t.example/t/c/TOKEN/0">k</a><a href="https://t.example/t/c/TOKEN/2">1</a><a href="https://t.example/t/c/TOKEN/2">2</a>',
    )
    expect(rest.links).toHaveLength(3)
  })

  it('inserts the preheader first, as text, and declares UTF-8', async () => {
    const html = '<html><head><meta charset="iso-8859-1"></head><body class="a">x</body></html>'
    const { html: rendered } = await render({
      html,
      preheader: 'News & more for {{ member.firstname }}',
      isTracked: false,
    })
    expect(rendered).toMatch(
      /^<html><head><meta charset="utf-8"><\/head><body class="a"><div style="display:none;[^"]*">News &amp; more for Ada &amp; &lt;Co&gt;(&#847;&zwnj;&nbsp;)+<\/div>x<\/body><\/html>$/,
    )
    expect((await render({ html: '<head></head><p>x', isTracked: false })).html).toBe(
      '<head><meta charset="utf-8"></head><p>x',
    )
    expect(
      (
        await render({
          html: '<head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"></head>',
          isTracked: false,
        })
      ).html,
    ).toContain('content="text/html; charset=utf-8"')
  })

  it('escapes merged values for HTML, and encodes them in untracked URLs', async () => {
    const { html } = await render({
      isTracked: false,
      html: '<p title="{{ member.firstname }}">{{ member.firstname }}</p><a href="https://a.example/?c={{ member.city }}">a</a><a href="{{ member.url }}">u</a><a href="mailto:x@y.example?subject={{ member.firstname }}">m</a><img alt="" src={{ member.url }}><b class={{ member.firstname }}>',
    })
    expect(html).toBe(
      '<p title="Ada &amp; &lt;Co&gt;">Ada &amp; &lt;Co&gt;</p><a href="https://a.example/?c=K%C3%B6ln">a</a><a href="https://a.example/?x=&#34;y&#34;">u</a><a href="mailto:x@y.example?subject=Ada%20%26%20%3CCo%3E">m</a><img alt="" src="https://a.example/?x=&#34;y&#34;"><b class="Ada &amp; &lt;Co&gt;">',
    )
    const hostile = { ...data, member: { url: 'javascript:alert(1)' } }
    expect((await render({ isTracked: false, html: '<a href="{{ member.url }}">x</a>' }, hostile)).html).toBe(
      '<a href="">x</a>',
    )
  })

  it('generates the text from styled HTML with modules inserted', async () => {
    const { text } = await render({
      html: '<style>p{color:red}</style><p>Dear {{member.firstname|default("you")}}, <a href="https://a.example">look</a></p>{{ module.imprint }}',
      modules: [{ name: 'imprint', type: 'text', body: 'ACME & Co.' }],
    })
    expect(text).toBe('Dear Ada & <Co>, look <https://t.example/t/c/TOKEN/0>\n\nACME & Co.\n')
  })

  it('compiles MJML', async () => {
    const { html, text, links, warnings } = await render({
      mjml: '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ member.firstname }}</mj-text>{% if member.city %}<mj-button href="https://a.example/?c={{ member.city }}">Go</mj-button>{% endif %}<mj-text><a href="{{ link.unsubscribe }}">bye</a></mj-text></mj-column></mj-section></mj-body></mjml>',
    })
    expect(html).toContain('>Hi Ada &amp; &lt;Co&gt;</div>')
    expect(html).toContain('href="https://t.example/t/c/TOKEN/0"')
    expect(html).not.toContain('{%')
    expect(text).toContain('Go <https://t.example/t/c/TOKEN/0>')
    expect(links).toEqual([
      { index: 0, name: 'Go', url: 'https://a.example/?c={{ member.city }}', is_active: true },
    ])
    expect(warnings.map(warning => warning.code)).toEqual(['no-imprint'])
  })

  it('keeps malicious values out of the header', async () => {
    const hostile = { ...data, member: { firstname: 'Ada\r\nBcc: all@x.example\u0000' } }
    expect((await render({ subject: 'Hi\r\n {{ member.firstname }}', text: 'x' }, hostile)).subject).toBe(
      'Hi Ada Bcc: all@x.example',
    )
    expect(
      (
        await render(
          { subject: '{% for i in (1..1) %}\n{{ member.firstname }}{% endfor %}', text: 'x' },
          hostile,
        )
      ).subject,
    ).toBe(' Ada Bcc: all@x.example')
  })

  it('formats in the language and time zone of the message', async () => {
    const source = { text: '{{ "2026-12-31T23:30:00Z" | date: "%-d. %B %Y, %H:%M" }} {{ 5 | money: "EUR" }}' }
    expect((await render({ ...source, language: 'de-DE', timeZone: 'Europe/Berlin' })).text).toBe(
      '1. Januar 2027, 00:30 5,00\u00a0€',
    )
    expect((await render({ ...source, language: 'not a language', timeZone: 'Mars/Crater' })).text).toBe(
      '31. December 2026, 23:30 €5.00',
    )
  })

  it('splits the message so that constants are shared', async () => {
    const { html } = await compileContent({
      ...base,
      html: '<p>a {{ member.city }} b</p><a href="https://x.example">y</a>',
    })
    expect(html.filter(segment => typeof segment === 'string')).toHaveLength(4)
    expect(html.filter(segment => typeof segment === 'function')).toHaveLength(3)
  })

  it('accepts only a valid tracking host', async () => {
    await expect(compileContent({ ...base, trackingBase: 'ftp://x' })).rejects.toThrow(TypeError)
  })
})

describe('errors of compileContent', () => {
  it('reports part, line and column of all faults at once', async () => {
    expect(
      await errors({
        subject: '{{ member.x',
        preheader: '{% nope %}',
        html: '<p>\n  {{ module.gone }}</p>',
        text: 'a\nb {% if x %}',
      }),
    ).toEqual([
      'subject 1:1 This placeholder is never closed: {{ member.x. It must end with }}, and quotes inside it come in pairs.',
      'preheader 1:1 There is no tag called "nope".',
      'html 2:3 There is no placeholder module "gone".',
      'text 2:3 {% if x %} is never closed. Add {% endif %} after it.',
    ])
  })

  it('rejects URLs that would run code', async () => {
    for (const href of [
      'javascript:alert(1)',
      'JAVA&#115;cript:alert(1)',
      'java&Tab;script:x',
      'vbscript:x',
      'data:text/html,x',
    ]) {
      expect((await errors({ html: `<p>\n<a href="${href}">x</a>` }))[0]).toMatch(
        /^html 2:10 The link .* would run a program/,
      )
    }
    expect((await errors({ html: '<img src="javascript:alert(1)" alt="">' }))[0]).toContain(
      'would run a program',
    )
  })

  it('rejects placeholders where they cannot be made safe', async () => {
    expect(await errors({ html: '<p {{ member.city }}>x</p>' })).toEqual([
      'html 1:4 Inside <p> a placeholder can only stand between the quotes of an attribute.',
    ])
    expect(await errors({ html: '<p class={% if member.city %}"a"{% else %}"b"{% endif %}>x</p>' })).toEqual([
      'html 1:4 Put the whole value of the attribute class between quotes.',
    ])
  })

  it('rejects excessively nested HTML', async () => {
    expect(await errors({ html: '<b>'.repeat(2_000) })).toEqual([
      'html 1:1198 The elements of the HTML are nested too deeply.',
    ])
    expect(await errors({ html: '<p>x<br><td><li>'.repeat(2_000), text: 'x' })).toEqual([])
  })

  it('reports lines of the MJML', async () => {
    expect(await errors({ mjml: '<mjml>\n<mj-body>\n{{ module.x }}<mj-nope/></mj-body></mjml>' })).toEqual([
      'html 3:1 There is no placeholder module "x".',
    ])
    expect((await errors({ mjml: '<mjml>\n<mj-body>\n<mj-nope/></mj-body></mjml>' }))[0]).toBe(
      'html 3:1 There is no MJML component <mj-nope>.',
    )
  })
})

describe('warnings of compileContent', () => {
  const good = '<p>Imprint: ACME</p><a href="{{ link.unsubscribe }}">Unsubscribe</a>'

  it('reports nothing for a valid message', async () => {
    expect(await codes({ html: good })).toEqual([])
  })

  it('hints at phrases and subjects that spam filters weigh, with their place', async () => {
    const spam = async (source: Partial<ContentSource>) =>
      (await compileContent({ ...base, html: good, ...source })).warnings.filter(
        ({ code }) => code === 'spam-words',
      )
    expect(await spam({ html: `${good}\n<p>Now 100% guaranteed &amp; risk free</p>` })).toMatchObject([
      { severity: 'warning', part: 'html', values: { words: '"100% guaranteed"' }, line: 2, column: 8 },
    ])
    expect(await spam({ subject: 'DEAR FRIEND, YOU HAVE WON!!' })).toMatchObject([
      { part: 'subject', reason: 'content.subject_capitals' },
      { part: 'subject', reason: 'content.subject_marks', values: { marks: '"!!"' } },
      { part: 'subject', reason: 'content.spam_words' },
    ])
    expect(await spam({ html: good.replace('>', '><!-- lose weight -->') })).toEqual([])
  })

  it('compiles 5,000 blocks of HTML, and names what is too much MJML', async () => {
    const blocks = '<table><tr><td><p>Block</p></td></tr></table>'.repeat(5_000)
    expect(await codes({ html: `${blocks}${good}` })).toEqual(['warning html-too-large'])
    const texts = '<mj-text>Block</mj-text>'.repeat(5_000)
    const mjml = `<mjml><mj-body><mj-section><mj-column>${texts}</mj-column></mj-section></mj-body></mjml>`
    expect(await errors({ mjml })).toEqual(['html 1:1 This is too much MJML for a mail.'])
  })

  it('blocks messages without subject, content or unsubscribe link', async () => {
    expect(await codes({ html: good, subject: ' ' })).toEqual(['error no-subject'])
    expect(await codes({})).toEqual(['error empty-part', 'warning no-imprint'])
    expect(await codes({ html: '<p>Imprint</p>' })).toEqual(['error no-unsubscribe'])
    expect(await codes({ text: 'Imprint' })).toEqual(['error no-unsubscribe'])
    expect(await codes({ html: good, text: 'Imprint' })).toEqual(['warning no-unsubscribe'])
    expect(
      await codes({
        html: `${good}{{ module.u }}`.replace('{{ link.unsubscribe }}', '#'),
        modules: [{ name: 'u', type: 'html', body: '<a href="{{ link.unsubscribe }}">u</a>' }],
      }),
    ).toEqual([])
  })

  it('requires the imprint', async () => {
    const html = '<a href="{{ link.unsubscribe }}">u</a>'
    expect(await codes({ html })).toEqual(['warning no-imprint'])
    expect(await codes({ html: `${html}{{ client.imprint }}` })).toEqual([])
    const imprint = { name: 'legal', type: 'text', body: 'x', isMandatory: true } as const
    expect(await codes({ html, modules: [imprint] })).toEqual(['error mandatory-module-missing'])
    expect(await codes({ html: `${html}{{ module.legal }}`, modules: [imprint] })).toEqual([])
  })

  it('reports unknown columns with their position', async () => {
    const { warnings } = await compileContent({
      ...base,
      html: `${good}\n<p>{{ member.fistname | default: "x" }}</p>`,
    })
    expect(warnings).toEqual([
      {
        code: 'unknown-placeholder',
        severity: 'warning',
        part: 'html',
        line: 2,
        column: 7,
        reason: 'content.near',
        values: {
          fault: {
            code: 'content.no_column',
            values: { path: 'member.fistname' },
            message: 'member.fistname is not a column of the datasource.',
          },
          near: 'member.firstname',
        },
        message: 'member.fistname is not a column of the datasource. Did you mean member.firstname?',
      },
    ])
  })

  it.each([
    ['<img src="https://x.example/i.png">', 'image-without-alt'],
    ['<a href="http://x.example">x</a>', 'insecure-link'],
    ['<a href="">x</a>', 'empty-link'],
    ['<a href="www.x.example">x</a>', 'relative-link'],
    ['<a href="ftp://x.example">x</a>', 'unsupported-scheme'],
    ['<img alt="" src="data:image/png;base64,AAAA">', 'unsupported-scheme'],
    ['<a href="*|UNSUB|*">x</a>', 'foreign-placeholder'],
    ['*|FNAME|*', 'foreign-placeholder'],
    ['<script>x</script>', 'active-content'],
    ['<p onclick="x()">x</p>', 'active-content'],
    ['{{ member.city | raw }}', 'unescaped-value'],
    ['{% for i in member.city %}<a href="{{ i.url }}">x</a>{% endfor %}', 'link-not-trackable'],
    [`<p>${'x'.repeat(110_000)}</p>`, 'html-too-large'],
    [`<style>${'p{}'.repeat(30_000)}</style>${'<p>x</p>'.repeat(300)}`, 'styles-not-inlined'],
  ])('warns about %.60s', async (html, code) => {
    expect(await codes({ html: good + html })).toEqual([`warning ${code}`])
  })

  it('does not warn about pixels, safe endings and intended markup', async () => {
    expect(
      await codes({
        html: `${good}<img src="https://x.example/p.gif" width="1" height="1">{{ member.city | escape }}<p>*emphasis* | [x]</p>`,
      }),
    ).toEqual([])
  })
})
