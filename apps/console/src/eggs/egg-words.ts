/** The secret words and what each sets off (R325). Change the words here; they are typed with letters alone. */
export const eggWords = {
  helper: 'HELPER',
  earthquake: 'QUAKE',
  catchphrase: 'CATCHPHRASE',
  click: 'CLICK',
  roll: 'ROLL',
  video: 'VIDEO',
  flip: 'FLIP',
} as const

export type Egg = keyof typeof eggWords
