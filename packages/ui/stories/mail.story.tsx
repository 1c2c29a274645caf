import { MailPreview } from '../src/mail-preview/mail-preview.tsx'
import type { Story } from './story.ts'

const html = `<!doctype html>
<html>
<head>
  <title>Autumn</title>
  <style>
    .box { max-width: 560px; margin: 0 auto; padding: 24px; font-family: Arial; }
    h1 { color: #b5420c; }
  </style>
  <meta http-equiv="refresh" content="1;url=https://evil.example/">
  <script>parent.document.body.innerHTML = 'taken over'</script>
</head>
<body style="background:#faf3ec">
  <div class="box">
    <!-- a greeting -->
    <h1>Hello {{ member.firstname | default: "friend" }}</h1>
    <p>Three ideas for rainy days, and {% if member.vip %}20 %{% else %}10 %{% endif %} off.</p>
    <img src="https://images.example/hero.png" alt="An umbrella" width="200" height="80" onerror="parent.hacked = 1">
    <p><a href="https://evil.example/" target="_top">Read more</a></p>
    <svg width="80" height="20"><a xlink:href="https://evil.example/" target="_top"><text y="15">Drawn</text><set attributeName="target" to="_self"/></a></svg>
    <template><script>parent.hacked = 1</script><a href="https://evil.example/" target="_top">Kept</a></template>
    <div><template shadowrootmode="open"><meta http-equiv="refresh" content="1;url=https://evil.example/"><a href="https://evil.example/" target="_top" onclick="parent.hacked = 1">Within</a></template></div>
    <math href="https://evil.example/"><mi>x</mi></math>
    <form action="https://evil.example/"><button>Send</button></form>
  </div>
</body>
</html>`

export const stories: readonly Story[] = [
  {
    title: 'Preview',
    render: () => (
      <MailPreview
        html={html}
        text={'Hello friend\n\nThree ideas for rainy days.'}
        subject="Three ideas for rainy days"
        preheader="and a warm discount"
        from="News <news@example.com>"
        height={360}
      />
    ),
  },
]
