import type { Brand } from '@emma/contract/brands.ts'
import type { MantineColorsTuple } from '@mantine/core'

/**
 * Shades of the brands. Index 6 is the brand's own color (accents, progress, logo); index 7, used for buttons and
 * links, has a contrast of at least 4.5 : 1 to white text.
 */
export const brandColors: Record<Brand['primaryColor'], MantineColorsTuple> = {
  orange: [
    '#fff4ec',
    '#ffe7d6',
    '#ffcfad',
    '#ffb27e',
    '#fb9455',
    '#f4762c',
    '#e8590c',
    '#c2410c',
    '#9a3412',
    '#7c2d12',
  ],
  lightBlue: [
    '#edf6ff',
    '#d9ecff',
    '#b3d9ff',
    '#85c1fb',
    '#5cadf7',
    '#46a3f5',
    '#339af0',
    '#1769b8',
    '#175a9c',
    '#164a7e',
  ],
}

/** Cool grays, more neutral beside a strong brand color than Mantine's bluish ones. */
export const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#e8e8eb',
  '#dcdce0',
  '#c4c4ca',
  '#74747e',
  '#5b5b65',
  '#44444d',
  '#2c2c33',
  '#1a1a1f',
]

/** From text (0) to the darkest background (9); 7 is the page. */
export const dark: MantineColorsTuple = [
  '#e7e7ea',
  '#c8c8ce',
  '#a3a3ad',
  '#93939d',
  '#3a3a42',
  '#2d2d34',
  '#222227',
  '#18181c',
  '#131316',
  '#0d0d10',
]

/** Status colors: 7 is readable as text on white, 4 on the dark background. */
export const green: MantineColorsTuple = [
  '#effbf3',
  '#d9f4e2',
  '#b0e7c3',
  '#80d69f',
  '#55c47d',
  '#34b066',
  '#239a55',
  '#157a41',
  '#136135',
  '#114f2d',
]

export const red: MantineColorsTuple = [
  '#fff1f0',
  '#ffdfdd',
  '#ffc0bc',
  '#ff9891',
  '#fb716a',
  '#f04f48',
  '#d92d26',
  '#c2241d',
  '#9d1f1a',
  '#7f1d19',
]

export const yellow: MantineColorsTuple = [
  '#fffbeb',
  '#fff3c8',
  '#fee690',
  '#fdd34f',
  '#f9bd22',
  '#e6a308',
  '#c27d05',
  '#925a08',
  '#7a490d',
  '#663c10',
]

export const blue: MantineColorsTuple = brandColors.lightBlue
