import { readFileSync } from 'node:fs'

/** Templates of a new installation; the first one is sent. */
export const sampleMessages = {
  newsletter: {
    name: 'Autumn roast',
    subject: '{{ member.firstname | default: "Hello" }}, the autumn roast is here',
    preheader: 'Forty sacks from Huehuetenango, and not one more.',
    body_mjml: template('newsletter.mjml'),
  },
  welcome: {
    name: 'Welcome',
    subject: 'Welcome to Northwind Coffee',
    preheader: 'What to expect from us, and how to brew your first bag.',
    body_long: template('welcome.html'),
  },
}

function template(file: string): string {
  return readFileSync(new URL(`./templates/${file}`, import.meta.url), 'utf8')
}
