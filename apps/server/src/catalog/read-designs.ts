import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Design, designs, palettes } from './designs.ts'
import type { Palette } from './apply-brand.ts'

export type DesignLanguage = 'en' | 'de' | 'es'

const folder = import.meta.dirname
const frame = readFileSync(join(folder, 'designs', 'frame.mjml'), 'utf8')

const texts = {
  de: readTexts('de'),
  es: readTexts('es'),
}

/** A design in one language. Its MJML contains `{{ brand.NAME }}` (apply-brand.ts) and `{{ image.NAME }}`. */
export interface LocalDesign extends Omit<Design, 'colors'> {
  mjml: string
  palette: Palette
}

/** The designs of the catalogue, in their order, with texts in a language. */
export function readDesigns(lang: DesignLanguage): LocalDesign[] {
  return designs.map(({ colors, ...design }) => {
    const body = readFileSync(join(folder, 'designs', `${design.slug}.mjml`), 'utf8')
    return {
      ...design,
      title: translate(design.title, lang),
      description: translate(design.description, lang),
      subject: translate(design.subject, lang),
      preheader: translate(design.preheader, lang),
      mjml: translateMjml(
        frame.replace('<!-- design -->\n', () => body),
        lang,
      ),
      palette: { ...palettes[design.collection], ...colors },
    }
  })
}

/** File names of the designs' images. */
export const designImages: ReadonlySet<string> = new Set(
  readdirSync(join(folder, 'images')).filter(name => name.endsWith('.png')),
)

export function readDesignImage(name: string): Buffer | null {
  return designImages.has(name) ? readFileSync(join(folder, 'images', name)) : null
}

/** A text in a language. Designs are written in English; an untranslated text stays English. */
export function translate(text: string, lang: DesignLanguage): string {
  return lang === 'en' ? text : (texts[lang].get(text) ?? text)
}

/** Visible texts of MJML: between tags, and alternative texts. Styles have none. */
const visible = /(>\s*)([^<>{}\s](?:[^<>]*[^<>\s])?|\{\{[^<>]*[^<>\s])(\s*<)|(\balt=")([^"]+)(")/g

/** The texts that `translateMjml` replaces. */
export function textsOf(mjml: string): string[] {
  return [...mjml.replaceAll(/<mj-style>[\s\S]*?<\/mj-style>/g, '').matchAll(visible)].map(
    ([, , text = '', , , alt = '']) => (text || alt).replaceAll(/\s+/g, ' '),
  )
}

function translateMjml(mjml: string, lang: DesignLanguage): string {
  const local = mjml.replace('<mjml lang="en">', `<mjml lang="${lang}">`)
  if (lang === 'en') return local
  return local.replaceAll(
    visible,
    (_, before = '', text = '', after = '', altBefore = '', alt = '', altAfter = '') =>
      text === ''
        ? `${altBefore}${translate(alt, lang)}${altAfter}`
        : `${before}${translate(text.replaceAll(/\s+/g, ' '), lang)}${after}`,
  )
}

function readTexts(lang: 'de' | 'es'): ReadonlyMap<string, string> {
  const file = readFileSync(join(folder, 'texts', `${lang}.json`), 'utf8')
  return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(file))))
}
