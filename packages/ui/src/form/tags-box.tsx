import { Pill, TagsInput, type TagsInputProps } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import classes from './tags-box.module.css'
import { tidyTags } from './tidy-tags.ts'

export interface TagsBoxProps
  extends Omit<TagsInputProps, 'value' | 'onChange' | 'renderPill' | 'acceptValueOnBlur'> {
  value: readonly string[]
  onChange: (tags: string[]) => void
  /** Marks the tags that cannot be used; they stay until they are corrected or removed. */
  isValid?: (tag: string) => boolean
}

/**
 * Several short texts, each a pill: type, Enter. A pasted list is split at commas, semicolons, tabs and line breaks.
 * Tags are trimmed however they are added: by Enter, by leaving the field, by pasting.
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

/** Enter in an empty field adds nothing, and must not save the form around it either. */
function keepFormOpen(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter' && event.currentTarget.value.trim() === '') event.preventDefault()
}
