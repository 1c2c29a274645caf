import { type ReactNode, useState } from 'react'
import { CodeEditor, type CodeFault, DiffEditor, SourceView } from '../src/code/code-editor.tsx'
import { JsonView } from '../src/code/json-view.tsx'
import type { Story } from './story.ts'

const html = `<!doctype html>
<html>
<head>
  <title>Autumn</title>
  <style>
    .box { max-width: 560px; margin: 0 auto; padding: 24px; }
  </style>
</head>
<body>
  <!-- a greeting -->
  <h1>Hello {{ member.firstname | default: "friend" }}</h1>
  <p>Three ideas for rainy days, and {% if member.vip %}20 %{% else %}10 %{% endif %} off.</p>
  <img src="hero.png">
</body>
</html>`
const later = html
  .replace('Three ideas', 'Five ideas')
  .replace('<img src="hero.png">', '<img src="hero.png" alt="An umbrella">')
const placeholders = ['member.firstname', 'member.lastname', 'link.unsubscribe', 'link.browser']
const faults: CodeFault[] = [
  { line: 12, column: 37, message: 'member.vip is no column of the datasource', severity: 'warning' },
  { line: 13, column: 3, message: 'The picture has no text (alt)', severity: 'error' },
]

function Editor(props: { begin: string; language: 'html' | 'json'; faults?: CodeFault[] }): ReactNode {
  const [value, setValue] = useState(props.begin)
  return (
    <CodeEditor
      label={props.language === 'json' ? 'Data of the test' : 'HTML of the template'}
      language={props.language}
      value={value}
      onChange={setValue}
      placeholders={placeholders}
      height={props.language === 'json' ? 140 : 380}
      {...(props.faults ? { faults: props.faults } : {})}
    />
  )
}

function Differences(): ReactNode {
  const [value, setValue] = useState(later)
  return (
    <DiffEditor
      before={html}
      after={value}
      onChange={setValue}
      language="html"
      labels={{ before: 'Saved version', after: 'Your version' }}
      height={300}
    />
  )
}

const data = {
  name: 'Autumn',
  sent: 12_031,
  ok: true,
  parent: null,
  tags: ['shop', 'autumn'],
  empty: [],
  rows: Array.from({ length: 250 }, (_, index) => ({
    id: index + 1,
    email: `reader${index + 1}@example.com`,
  })),
}

export const stories: readonly Story[] = [
  {
    title: 'Editor with faults; Ctrl+F searches, F8 goes from fault to fault',
    render: () => <Editor begin={html} language="html" faults={faults} />,
  },
  {
    title: 'JSON is checked while typing',
    render: () => <Editor begin={'{ "vip": true,, }'} language="json" />,
  },
  { title: 'Differences, the right side to write', render: () => <Differences /> },
  {
    title: 'Differences, to read',
    render: () => (
      <DiffEditor
        before={html}
        after={later}
        language="html"
        labels={{ before: 'Before', after: 'After' }}
        height={260}
      />
    ),
  },
  { title: 'Data as a tree', render: () => <JsonView label="Answer of the API" value={data} /> },
  {
    title: 'Source, to read',
    render: () => (
      <SourceView
        label="Source of the answer"
        language="json"
        value={JSON.stringify({ name: 'Autumn', sent: 12, ok: true }, null, 2)}
        height={120}
      />
    ),
  },
]
