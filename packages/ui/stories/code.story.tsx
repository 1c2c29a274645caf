import type { Story } from './story.ts'

export const stories: readonly Story[] = []
