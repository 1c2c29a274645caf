import { Pill, TagsInput, type TagsInputProps } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import classes from './tags-box.module.css'
import { tidyTags } from './tidy-tags.ts'

export interface TagsBoxProps
  extends Omit<TagsInputProps, 'value' | 'onChange' | 'renderPill' | 'acceptValueOnBlur'> {
  value: readonly string[]
  onChange: (tags: string[]) => void
  /** Marks invalid tags; they stay until they are corrected or removed. */
  isValid?: (tag: string) => boolean
}

/**
 * Input for several short texts as pills, each added by Enter. Pasted lists are split at commas, semicolons, tabs and
 * line breaks. Tags are trimmed, whether added by Enter, blur or paste.
 */
export function TagsBox({ value, onChange, isValid, onKeyDown, ...props }: TagsBoxProps): ReactNode {
  return (
    <TagsInput
      splitChars={[',', ';', '\n', '\t']}
      {...props}
      acceptValueOnBlur
      value={[...value]}
      onChange={tags => onChange(tidyTags(tags))}
      onKeyDown={event => {
        onKeyDown?.(event)
        keepFormOpen(event)
      }}
      {...(isValid === undefined
        ? {}
        : {
            renderPill: ({ value: tag = '', onRemove, disabled = false }) => (
              <Pill
                withRemoveButton={!disabled}
                disabled={disabled}
                {...(onRemove ? { onRemove } : {})}
                {...(isValid(tag) ? {} : { className: classes.invalid, 'data-invalid': true })}
              >
                {tag}
              </Pill>
            ),
          })}
    />
  )
}

/** Enter in the empty field must not submit the surrounding form. */
function keepFormOpen(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter' && event.currentTarget.value.trim() === '') event.preventDefault()
}
