/** The secret words and the effect that each triggers (R325). Words consist of letters only. */
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
