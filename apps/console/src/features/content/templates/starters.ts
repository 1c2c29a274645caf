import type { message } from '@emma/contract/resources/message.ts'
import type { RecordOf } from '@emma/client/emma-client.ts'

/** Initial content of a new template, in MJML or HTML; the other one is null. */
export interface Start {
  subject: string
  preheader: string | null
  body_mjml: string | null
  body_long: string | null
  bee_json?: RecordOf<typeof message>['bee_json']
}

/** Minimal MJML template. */
export const plainMjml: Start = {
  subject: '',
  preheader: null,
  body_long: null,
  body_mjml: `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.6" color="#27272a" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f4f4f5">
    <mj-section background-color="#ffffff" padding="32px">
      <mj-column>
        <mj-text font-size="26px" font-weight="bold">A headline</mj-text>
        <mj-text>Hello {{ member.firstname | default: "there" }},</mj-text>
        <mj-text>say what you have to say.</mj-text>
        <mj-button href="https://example.com/">Read more</mj-button>
      </mj-column>
    </mj-section>
    <mj-section>
      <mj-column>
        <mj-text font-size="12px" color="#71717a" align="center">
          {{ module.imprint }}<br />
          <a href="{{ link.unsubscribe }}">Unsubscribe</a> · <a href="{{ link.browser }}">View in browser</a>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`,
}

/**
 * Minimal HTML template with what Outlook, narrow screens and dark mode need. An image, even the open pixel, in less
 * than 3,200 bytes of HTML counts as a spam sign; once rendered for sending, this template is longer.
 */
export const plainHtml: Start = {
  subject: '',
  preheader: null,
  body_mjml: null,
  body_long: `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>A headline</title>
  <!--[if mso]>
  <style>h1, p, td, a { font-family: Arial, sans-serif !important; }</style>
  <![endif]-->
  <style>
    body { margin: 0; padding: 0; background: #f4f4f5; -webkit-text-size-adjust: 100%; }
    td, p, h1 { font-family: Helvetica, Arial, sans-serif; }
    h1 { margin: 0 0 16px; font-size: 26px; line-height: 1.25; color: #18181b; }
    p { margin: 0 0 16px; font-size: 16px; line-height: 1.6; color: #27272a; }
    .card { width: 100%; max-width: 600px; background: #ffffff; border-radius: 12px; }
    .inside { padding: 32px; }
    .button { display: inline-block; padding: 12px 22px; border-radius: 6px; background: #18181b; color: #ffffff; font-weight: bold; text-decoration: none; }
    .small { font-size: 12px; color: #71717a; }
    .small a { color: #71717a; }
    @media (max-width: 480px) { .inside { padding: 24px 18px !important; } h1 { font-size: 22px !important; } }
    @media (prefers-color-scheme: dark) {
      body { background: #18181b !important; }
      .card { background: #27272a !important; }
      h1, p { color: #f4f4f5 !important; }
      .button { background: #f4f4f5 !important; color: #18181b !important; }
      .small, .small a { color: #a1a1aa !important; }
    }
  </style>
</head>
<body>
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
    <tr><td align="center" style="padding: 24px 12px">
      <table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0">
        <tr><td class="inside">
          <h1>A headline</h1>
          <p>Hello {{ member.firstname | default: "there" }},</p>
          <p>say what you have to say.</p>
          <p><a class="button" href="https://example.com/">Read more</a></p>
        </td></tr>
      </table>
      <p class="small"><br>{{ module.imprint }}<br>
        <a href="{{ link.unsubscribe }}">Unsubscribe</a> · <a href="{{ link.browser }}">View in browser</a></p>
    </td></tr>
  </table>
</body>
</html>
`,
}
