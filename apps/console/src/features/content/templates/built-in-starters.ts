import { plainHtml, plainMjml, type Start } from './starters.ts'

/** Footer of every built-in template: imprint, unsubscribe and preferences links. */
const mjmlFooter = `    <mj-section padding="24px">
      <mj-column>
        <mj-text font-size="12px" line-height="1.6" color="#52525b" align="center">
          {{ module.imprint }}<br />
          <a href="{{ link.unsubscribe }}" style="color: #52525b">Unsubscribe</a> ·
          <a href="{{ link.preferences }}" style="color: #52525b">Preferences</a> ·
          <a href="{{ link.browser }}" style="color: #52525b">View in browser</a>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`

const newsletter: Start = {
  subject: '{{ member.firstname | default: "Hello" }}, what is new this month',
  preheader: 'Three stories worth five minutes of your day.',
  body_long: null,
  body_mjml: `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text font-size="15px" line-height="1.6" color="#3f3f46" padding="0 0 12px" />
      <mj-button background-color="#18181b" color="#ffffff" border-radius="6px" font-size="15px" inner-padding="12px 22px" align="left" padding="4px 0 0" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f4f4f5" width="620px">
    <mj-section padding="28px 32px 16px">
      <mj-column>
        <mj-text font-size="20px" font-weight="700" color="#18181b" padding="0">{{ client.name }}</mj-text>
        <mj-text font-size="13px" color="#52525b" padding="2px 0 0">The monthly letter</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#18181b" border-radius="12px 12px 0 0" padding="44px 32px">
      <mj-column>
        <mj-text font-size="32px" line-height="1.2" font-weight="700" color="#ffffff">The headline of the month goes here</mj-text>
        <mj-text color="#d4d4d8" font-size="17px">One sentence that makes people want to read on.</mj-text>
        <mj-button href="https://example.com/story" background-color="#c2410c">Read the story</mj-button>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="32px 32px 8px">
      <mj-column>
        <mj-text>Hello {{ member.firstname | default: "there" }},</mj-text>
        <mj-text>a few lines from you to your readers: what happened, and why you write today.</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="16px 20px">
      <mj-column padding="0 12px">
        <mj-text font-size="18px" font-weight="700" color="#18181b">Second story</mj-text>
        <mj-text>Two or three sentences. The rest is behind the link.</mj-text>
        <mj-button href="https://example.com/second">Read the second story</mj-button>
      </mj-column>
      <mj-column padding="0 12px">
        <mj-text font-size="18px" font-weight="700" color="#18181b">Third story</mj-text>
        <mj-text>Two or three sentences. The rest is behind the link.</mj-text>
        <mj-button href="https://example.com/third">Read the third story</mj-button>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" border-radius="0 0 12px 12px" padding="16px 32px 32px">
      <mj-column>
        <mj-divider border-width="1px" border-color="#e4e4e7" padding="8px 0 20px" />
        <mj-text>Until next month,<br />the team of {{ client.name }}</mj-text>
      </mj-column>
    </mj-section>
${mjmlFooter}`,
}

const announcement: Start = {
  subject: 'It is here: the name of your product',
  preheader: 'What it does, and what it costs for the first week.',
  body_long: null,
  body_mjml: `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Georgia, 'Times New Roman', serif" />
      <mj-text font-size="17px" line-height="1.6" color="#3f3f46" align="center" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#fff7ed" width="600px">
    <mj-section padding="40px 24px 8px">
      <mj-column>
        <mj-text font-size="14px" letter-spacing="3px" color="#9a3412">NEW FROM {{ client.name | upcase }}</mj-text>
        <mj-text font-size="40px" line-height="1.15" color="#1c1917">Say it in six words</mj-text>
        <mj-text>Then explain in one sentence what your readers get out of it.</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffedd5" border-radius="16px" padding="56px 24px">
      <mj-column>
        <mj-text font-size="64px" line-height="1">✦</mj-text>
        <mj-text font-size="15px" color="#9a3412">Put the picture of your product here: &lt;mj-image&gt;</mj-text>
      </mj-column>
    </mj-section>
    <mj-section padding="16px 24px 32px">
      <mj-column>
        <mj-text>{{ member.firstname | default: "You" }}, you are among the first to know. Order by Sunday, and the postage is on us.</mj-text>
        <mj-button href="https://example.com/shop" background-color="#9a3412" color="#ffffff" border-radius="999px" font-size="17px" inner-padding="16px 36px">Have a look</mj-button>
      </mj-column>
    </mj-section>
${mjmlFooter}`,
}

const letter: Start = {
  subject: 'A short note from {{ client.name }}',
  preheader: 'Why I write to you today, in one sentence.',
  body_mjml: null,
  body_long: `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>A short note</title>
  <style>
    body { margin: 0; background: #ffffff; color: #27272a; font: 17px/1.65 Georgia, 'Times New Roman', serif; }
    .letter { max-width: 560px; margin: 0 auto; padding: 40px 20px; }
    p { margin: 0 0 20px; }
    a { color: #9a3412; }
    .small { color: #52525b; font: 13px/1.6 Helvetica, Arial, sans-serif; border-top: 1px solid #e4e4e7; padding-top: 20px; margin-top: 40px; }
    @media (max-width: 480px) { .letter { padding: 24px 16px !important; } }
    @media (prefers-color-scheme: dark) {
      body { background: #18181b !important; color: #e4e4e7 !important; }
      a { color: #fb923c !important; }
      .small, .small a { color: #a1a1aa !important; border-color: #3f3f46 !important; }
    }
  </style>
</head>
<body>
  <div class="letter">
    <p>Hello {{ member.firstname | default: "there" }},</p>
    <p>a letter looks as if one person had written it to another. It needs no pictures, and it is read.</p>
    <p>Say what you have to say in three paragraphs, and ask for one thing only:
      <a href="https://example.com/reply">tell people where to go</a>.</p>
    <p>Kind regards,<br>your name</p>
    <p>PS: A postscript is read before the letter. Say here once more what you ask for.</p>
    <p class="small">{{ module.imprint }}<br>
      <a href="{{ link.unsubscribe }}">Unsubscribe</a> · <a href="{{ link.preferences }}">Preferences</a> ·
      <a href="{{ link.browser }}">View in browser</a></p>
  </div>
</body>
</html>
`,
}

/** Built-in starting points of new templates; their names are in the texts. */
export const builtInStarters = [
  { id: 'newsletter', start: newsletter },
  { id: 'announcement', start: announcement },
  { id: 'letter', start: letter },
  { id: 'mjml', start: plainMjml },
  { id: 'html', start: plainHtml },
] as const satisfies readonly { id: string; start: Start }[]
