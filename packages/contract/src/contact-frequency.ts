/** Contact frequency that subscribers can choose: at most one mail in so many hours; null: no limit. */
export const frequencies = { all: null, week: 168, month: 720 } as const

export type Frequency = keyof typeof frequencies

export const frequencyNames = ['all', 'week', 'month'] as const satisfies Frequency[]

export function isFrequency(text: string): text is Frequency {
  return Object.hasOwn(frequencies, text)
}
