/** A token of ours and what a service writes in its place (R219). */
export interface Replacer {
  search: string
  replace: string
}

/** The parts of a message that people write. */
interface Texts {
  subject: string
  preheader: string
  html: string
  mjml: string
  text: string
}

/** Puts a service's tokens in the place of ours. What looks like a placeholder there is the service's to fill in. */
export function replaceTokens<M extends Texts>(message: M, replacers: readonly Replacer[]): M {
  const replaced = (text: string) =>
    replacers.reduce((done, { search, replace }) => done.replaceAll(search, () => asConstant(replace)), text)
  const { subject, preheader, html, mjml, text } = message
  return {
    ...message,
    subject: replaced(subject),
    preheader: replaced(preheader),
    html: replaced(html),
    mjml: replaced(mjml),
    text: replaced(text),
  }
}

function asConstant(text: string): string {
  return /\{[{%]/.test(text) ? `{% raw %}${text}{% endraw %}` : text
}
