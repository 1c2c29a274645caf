import { Parser } from 'htmlparser2'
import { MAX_ELEMENT_DEPTH } from '../template/html-structure.ts'

/** What stands out in a mail, in the order of its weight. */
export interface Highlights {
  headlines: readonly string[]
  sentences: readonly string[]
  buttons: readonly string[]
}

interface Block {
  text: string
  /** Font size in px. */
  size: number
  isButton: boolean
}

/** Most blocks that are read: what follows is fine print. */
const MAX_BLOCKS = 300
/** Longest text of a block that is read. */
const MAX_BLOCK_LENGTH = 2_000
/** From this font size on, a short text is a headline. */
const HEADLINE_PX = 19

const headingSizes: Readonly<Record<string, number>> = { h1: 32, h2: 26, h3: 21, h4: 19, h5: 16, h6: 14 }
const inline = new Set([
  'a',
  'abbr',
  'b',
  'em',
  'font',
  'i',
  'mark',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
])
const invisible = new Set([
  'head',
  'style',
  'script',
  'title',
  'mj-head',
  'mj-style',
  'mj-title',
  'mj-preview',
])

/** Headlines, sentences and button texts of a mail's MJML or HTML source. What contains placeholders is left out. */
export function readHighlights(source: string): Highlights {
  const blocks = readBlocks(source)
  const headlines = blocks
    .filter(({ text, size, isButton }) => size >= HEADLINE_PX && !isButton && text.length <= 120)
    .toSorted((a, b) => b.size - a.size)
  const sentences = blocks
    .filter(block => !headlines.includes(block) && !block.isButton)
    .flatMap(({ text }) => sentencesOf(text))
  const buttons = blocks.filter(({ isButton }) => isButton)
  return {
    headlines: usable(headlines.map(({ text }) => text.replace(/\.$/, ''))),
    sentences: usable(sentences),
    buttons: usable(buttons.map(({ text }) => text)),
  }
}

function usable(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(text => /\p{L}{2}/u.test(text) && !/\{[{%]|[%}]\}/.test(text))
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?…])\s+/u).filter(sentence => sentence.length >= 15 && sentence.length <= 300)
}

function readBlocks(source: string): Block[] {
  const blocks: Block[] = []
  const open: { size: number; isHidden: boolean; isButton: boolean }[] = []
  let text = ''
  const here = () => open.at(-1) ?? { size: 14, isHidden: false, isButton: false }
  let written = here()
  const flush = () => {
    const shown = text.replaceAll(/(?:\s|\u200b|\u200c|\u034f)+/gu, ' ').trim()
    if (shown !== '') blocks.push({ text: shown, size: written.size, isButton: written.isButton })
    text = ''
    if (blocks.length >= MAX_BLOCKS) parser.pause()
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (!inline.has(name) || isButton(name, attributes)) flush()
        const parent = here()
        open.push({
          size: sizeOf(name, attributes) ?? parent.size,
          isHidden: parent.isHidden || isHidden(name, attributes),
          isButton: parent.isButton || isButton(name, attributes),
        })
        if (open.length > MAX_ELEMENT_DEPTH) parser.pause()
      },
      ontext(part) {
        if (here().isHidden || text.length >= MAX_BLOCK_LENGTH) return
        if (text.trim() === '') written = here()
        text += part.slice(0, MAX_BLOCK_LENGTH)
      },
      onclosetag(name) {
        if (!inline.has(name) || here().isButton) flush()
        open.pop()
      },
    },
    { decodeEntities: true },
  )
  parser.write(source)
  flush()
  return blocks
}

type Attributes = Readonly<Record<string, string>>

function sizeOf(name: string, attributes: Attributes): number | null {
  const written =
    attributes['font-size'] ?? /font-size:\s*([\d.]{1,6}px)/i.exec(attributes['style'] ?? '')?.[1]
  const size = Number.parseFloat(written ?? '')
  return Number.isFinite(size) ? size : (headingSizes[name] ?? null)
}

function isHidden(name: string, { style = '' }: Attributes): boolean {
  return invisible.has(name) || /display:\s*none/i.test(style)
}

function isButton(name: string, { style = '' }: Attributes): boolean {
  return name === 'mj-button' || (name === 'a' && /padding/i.test(style) && /background/i.test(style))
}
