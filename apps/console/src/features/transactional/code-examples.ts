/** A call in several languages, from the data of the transactional email. */
export const exampleLanguages = ['curl', 'typescript', 'php', 'python'] as const
export type ExampleLanguage = (typeof exampleLanguages)[number]

interface ExampleCall {
  url: string
  body: Record<string, unknown>
}

/** Source of a program that sends one email; the key is read from the environment. */
export function codeExample(language: ExampleLanguage, { url, body }: ExampleCall): string {
  const json = JSON.stringify(body, null, 2)
  switch (language) {
    case 'curl':
      return `curl ${url} \\
  -H "Authorization: Bearer $EMMA_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  --data-binary @- <<'JSON'
${json}
JSON
`
    case 'typescript':
      return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.EMMA_KEY}\`,
    // The same key for every attempt to send this email.
    'Idempotency-Key': crypto.randomUUID(),
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(json, 2)}),
})
if (response.status !== 202) throw new Error(await response.text())
const { message_id } = await response.json()
`
    case 'php':
      return `<?php
$response = file_get_contents(${JSON.stringify(url)}, false, stream_context_create(['http' => [
    'method' => 'POST',
    'ignore_errors' => true,
    'header' => implode("\\r\\n", [
        'Authorization: Bearer ' . getenv('EMMA_KEY'),
        'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        'Content-Type: application/json',
    ]),
    'content' => <<<'JSON'
${json}
JSON,
]]));
$sent = json_decode($response, true);
`
    case 'python':
      return `import json, os, urllib.request, uuid

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(${indented(pythonLiteral(body), 4)}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['EMMA_KEY']}",
        "Idempotency-Key": str(uuid.uuid4()),
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    sent = json.load(response)
`
  }
}

/** JSON that is a literal of Python, too. */
function pythonLiteral(value: unknown, indent = ''): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const parts = Array.isArray(value)
    ? value.map(each => inner + pythonLiteral(each, inner))
    : Object.entries(value).map(
        ([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonLiteral(each, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return parts.length === 0 ? open + close : `${open}\n${parts.join(',\n')},\n${indent}${close}`
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
}
