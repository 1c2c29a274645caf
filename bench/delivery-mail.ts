/** Message that all senders of the benchmark send: HTML and text, 20 placeholders, 30 links. */
export interface BenchMail {
  subject: string
  html: string
  text: string
}

const PLACEHOLDERS = 20
const LINKS = 30

/** Returns a message of about `size` bytes with Liquid placeholders (`{{ member.field1 }}`). */
export function benchMail(size: number): BenchMail {
  const greetings = Array.from({ length: PLACEHOLDERS }, (_, n) => `{{ member.field${n + 1} }}`)
  const links = Array.from({ length: LINKS }, (_, n) => `https://shop.example/offer/${n + 1}?from=mail`)
  const frame = (filler: string) =>
    `<html><body>${greetings.map(one => `<p>Hello ${one}</p>`).join('')}${filler}${links
      .map((url, n) => `<p><a href="${url}">Offer ${n + 1}</a></p>`)
      .join('')}<p><a href="{{ link.unsubscribe }}">Unsubscribe</a></p></body></html>`
  const sentence = '<p>Something that is good to know, said in the words of a shop with warm coats.</p>\n'
  const textSize = Math.round(size / 5)
  const rest = Math.max(0, size - textSize - frame('').length)
  return {
    subject: 'News for {{ member.field1 }}',
    html: frame(sentence.repeat(Math.round(rest / sentence.length))),
    text: 'Something that is good to know, in plain words.\n'.repeat(Math.round(textSize / 48)),
  }
}

/** Returns the value of a member's field. */
export function fieldValue(member: number, field: number): string {
  return `Person ${member} word ${field}`
}

/** Fills in the placeholders for one member by string replacement, for senders without templates. */
export function filledMail(mail: BenchMail, member: number): BenchMail {
  const fill = (text: string) =>
    text
      .replaceAll(/\{\{ member\.field(\d+) \}\}/g, (_, field) => fieldValue(member, Number(field)))
      .replaceAll('{{ link.unsubscribe }}', `https://shop.example/unsubscribe/${member}`)
  return { subject: fill(mail.subject), html: fill(mail.html), text: fill(mail.text) }
}
