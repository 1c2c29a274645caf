import { heavy } from './rules.story.tsx'
import type { Story } from './story.ts'

export const stories: readonly Story[] = heavy
