/** A placeholder of ours and the ESP's placeholder that replaces it (R219). */
export interface Replacer {
  search: string
  replace: string
}

/** Authored texts of a message. */
interface Texts {
  subject: string
  preheader: string
  html: string
  mjml: string
  text: string
}

/** Replaces our placeholders by the ESP's, which fills them in. */
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
