import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { Button, Popover, Text, TextInput } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './subject.module.css'

interface EmojiPickerProps {
  /** Label of the field that it inserts into. */
  label: string
  onPick: (emoji: string) => void
}

interface Emoji {
  unicode: string
  label: string
  tags?: readonly string[]
  group?: number
  order?: number
}

/** Names and keywords by language, loaded when the picker opens. */
const emojiTexts = {
  en: () => import('emojibase-data/en/compact.json'),
  de: () => import('emojibase-data/de/compact.json'),
  es: () => import('emojibase-data/es/compact.json'),
}

/** Most emojis that are shown at once. */
const SHOWN = 240

/** Groups in the order in which subjects use them; without people and flags. */
const groups = [0, 6, 3, 4, 5, 7, 8]

const columns = 8

/** Button with a grid of emojis, which are found by their names. */
export function EmojiPicker({ label, onPick }: EmojiPickerProps): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={336} trapFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconMoodSmile size={13} />}
          aria-label={`${t('content.subject.emoji')}: ${label}`}
          onClick={() => setOpen(true)}
        >
          {t('content.subject.emoji')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('content.subject.emoji')} className={classes.emojis}>
        {isOpen && (
          <EmojiGrid
            onPick={emoji => {
              setOpen(false)
              onPick(emoji)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function EmojiGrid({ onPick }: Pick<EmojiPickerProps, 'onPick'>): ReactNode {
  const { t, i18n } = useTranslation()
  const [search, setSearch] = useState('')
  const lang = i18n.language === 'de' || i18n.language === 'es' ? i18n.language : 'en'
  const { data, error, refetch } = useQuery({
    queryKey: ['emojis', lang],
    queryFn: async () => (await emojiTexts[lang]()).default as readonly Emoji[],
    staleTime: Number.POSITIVE_INFINITY,
  })
  const found = useMemo(() => findEmojis(data ?? [], search), [data, search])
  return (
    <>
      <TextInput
        data-autofocus
        size="xs"
        type="search"
        aria-label={t('content.subject.emoji_search')}
        placeholder={t('content.subject.emoji_search')}
        value={search}
        onChange={event => setSearch(event.currentTarget.value)}
      />
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <BlockSkeleton height={240} />}
      {data && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('content.subject.emoji_none')}
        </Text>
      )}
      {found.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move between its buttons
        <div className={classes.grid} onKeyDown={moveFocus}>
          {found.map(({ unicode, label }, index) => (
            <button
              key={unicode}
              type="button"
              aria-label={label}
              title={label}
              tabIndex={index === 0 ? 0 : -1}
              onClick={() => onPick(unicode)}
            >
              {unicode}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

function findEmojis(emojis: readonly Emoji[], search: string): readonly Emoji[] {
  const wanted = search.trim().toLowerCase()
  const fits = ({ label, tags = [] }: Emoji) =>
    [label, ...tags].some(text => text.toLowerCase().includes(wanted))
  return emojis
    .filter(emoji =>
      wanted === '' ? groups.includes(emoji.group ?? -1) : emoji.group !== undefined && fits(emoji),
    )
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .slice(0, SHOWN)
}

function orderOf({ group = 0, order = 0 }: Emoji): number {
  const place = groups.indexOf(group)
  return (place === -1 ? groups.length : place) * 10_000 + order
}

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: columns,
  ArrowUp: -columns,
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const here = buttons.findIndex(button => button === document.activeElement)
  buttons[here + step]?.focus()
}
