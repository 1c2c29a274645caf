import type { MemberColumn } from './resources/membertable.ts'

/** Name of a topic in a language, else in another; the label of a column without a name. */
export function topicName({ topic, label }: Pick<MemberColumn, 'topic' | 'label'>, lang: string): string {
  const names = new Map(Object.entries(topic ?? {}).filter(([, name]) => name.trim() !== ''))
  return names.get(lang) ?? names.values().next().value ?? label
}
