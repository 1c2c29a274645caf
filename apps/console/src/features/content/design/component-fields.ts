import type { ElementNode, TemplateFormat } from '@emma/mail/edit/template-tree.ts'

/** An attribute that can be edited, and how. */
export interface ComponentField {
  name: string
  kind: 'color' | 'font' | 'image' | 'text' | 'url' | 'choice'
  choices?: readonly string[]
}

const color = (name: string): ComponentField => ({ name, kind: 'color' })
const text = (name: string): ComponentField => ({ name, kind: 'text' })
const image = (name: string): ComponentField => ({ name, kind: 'image' })
const font = (name: string): ComponentField => ({ name, kind: 'font' })
const url = (name: string): ComponentField => ({ name, kind: 'url' })
const choice = (name: string, ...choices: string[]): ComponentField => ({ name, kind: 'choice', choices })

const align = choice('align', 'left', 'center', 'right')
const textAlign = choice('align', 'left', 'center', 'right', 'justify')
const verticalAlign = choice('vertical-align', 'top', 'middle', 'bottom')
const weight = choice('font-weight', 'normal', 'bold')
const letters = [font('font-family'), text('font-size'), weight, text('line-height')]

/** Attributes of MJML's components (documentation.mjml.io) that marketers change, most used first. */
const ofMjml: Readonly<Record<string, readonly ComponentField[]>> = {
  'mj-body': [color('background-color'), text('width')],
  'mj-wrapper': [color('background-color'), image('background-url'), text('padding'), text('border-radius')],
  'mj-section': [
    color('background-color'),
    image('background-url'),
    text('padding'),
    text('border-radius'),
    choice('full-width', 'full-width'),
    choice('direction', 'ltr', 'rtl'),
  ],
  'mj-column': [
    color('background-color'),
    text('width'),
    text('padding'),
    text('border-radius'),
    verticalAlign,
  ],
  'mj-hero': [
    image('background-url'),
    color('background-color'),
    text('height'),
    choice('mode', 'fluid-height', 'fixed-height'),
    text('padding'),
    verticalAlign,
  ],
  'mj-text': [textAlign, color('color'), ...letters, text('padding'), color('container-background-color')],
  'mj-button': [
    url('href'),
    color('background-color'),
    color('color'),
    align,
    text('border-radius'),
    text('inner-padding'),
    text('width'),
    ...letters,
    text('padding'),
  ],
  'mj-image': [
    image('src'),
    text('alt'),
    url('href'),
    text('width'),
    align,
    text('border-radius'),
    text('padding'),
  ],
  'mj-divider': [
    color('border-color'),
    text('border-width'),
    choice('border-style', 'solid', 'dashed', 'dotted'),
    text('width'),
    text('padding'),
  ],
  'mj-spacer': [text('height'), color('container-background-color')],
  'mj-social': [align, choice('mode', 'horizontal', 'vertical'), text('icon-size'), text('padding')],
  'mj-social-element': [text('name'), url('href'), image('src'), text('alt'), color('background-color')],
  'mj-navbar': [align, url('base-url')],
  'mj-navbar-link': [url('href'), color('color'), ...letters, text('padding')],
  'mj-table': [color('color'), text('font-size'), text('width'), text('padding')],
}

const ofHtml: Readonly<Record<string, readonly ComponentField[]>> = {
  a: [url('href'), text('title')],
  img: [image('src'), text('alt'), text('width'), text('height')],
  table: [text('width'), align, color('bgcolor')],
  td: [text('width'), align, choice('valign', 'top', 'middle', 'bottom'), color('bgcolor')],
}

/** Returns the attributes of a component or element that can be edited, then the others that it has. */
export function fieldsOf(node: ElementNode, format: TemplateFormat): readonly ComponentField[] {
  const known = (format === 'mjml' ? ofMjml : ofHtml)[node.name] ?? []
  const others = node.attributes
    .map(({ name }) => name)
    .filter(name => name !== '' && known.every(field => field.name !== name))
  return [...known, ...[...new Set(others)].map(text)]
}
