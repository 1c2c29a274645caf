/** What a new template begins with. Either MJML or HTML; the other one is null. */
export interface Start {
  subject: string
  preheader: string | null
  body_mjml: string | null
  body_long: string | null
}

/** The least that can be sent, in MJML. */
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

/** The least that can be sent, in HTML. */
export const plainHtml: Start = {
  subject: '',
  preheader: null,
  body_mjml: null,
  body_long: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A headline</title></head>
<body style="margin: 0; background: #f4f4f5; font-family: Helvetica, Arial, sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding: 24px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="max-width: 600px; background: #ffffff">
<tr><td style="padding: 32px; font-size: 16px; line-height: 1.6; color: #27272a">
<h1 style="margin: 0 0 16px; font-size: 26px">A headline</h1>
<p>Hello {{ member.firstname | default: "there" }},</p>
<p>say what you have to say.</p>
<p><a href="https://example.com/">Read more</a></p>
<p style="font-size: 12px; color: #71717a">{{ module.imprint }}<br>
<a href="{{ link.unsubscribe }}">Unsubscribe</a> · <a href="{{ link.browser }}">View in browser</a></p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`,
}
