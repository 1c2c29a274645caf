import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Debounce of the search in ms. */
const searchDelay = 250

interface TestbedSearchProps {
  label: string
  value: string
  onChange: (value: string) => void
  inputRef?: RefObject<HTMLInputElement | null>
}

/** Search field of a pane. */
export function TestbedSearch({ label, value, onChange, inputRef }: TestbedSearchProps): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const search = useDebouncedCallback(onChange, searchDelay)
  // A search set from outside (back button, link) replaces the input.
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  const change = (next: string) => {
    setTyped(next)
    search(next.trim())
  }
  return (
    <TextInput
      {...(inputRef ? { ref: inputRef, 'aria-keyshortcuts': '/' } : {})}
      role="searchbox"
      size="xs"
      placeholder={label}
      aria-label={label}
      maxLength={255}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        typed !== '' && (
          <CloseButton
            size="xs"
            aria-label={t('deliverability.testbed.search_clear')}
            onClick={() => change('')}
          />
        )
      }
      value={typed}
      onChange={event => change(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        change('')
        event.currentTarget.blur()
      }}
    />
  )
}
