import { type Answer } from '@emma/contract/define-action.ts'
import { generateSubject } from '@emma/contract/actions/content.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Button, Popover, SegmentedControl, Text } from '@mantine/core'
import { IconBulb } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../../shell/session/api.ts'
import { useClientId } from '../../../../shell/session/use-session.ts'
import classes from './subject.module.css'

type Suggestion = Answer<typeof generateSubject>[number]

interface SubjectSuggestionsProps {
  /** Returns the MJML or HTML, saved or not. */
  sourceOf: () => string
  lang: 'en' | 'de' | 'es'
  onPick: (suggestion: Suggestion) => void
}

const tones = ['neutral', 'friendly', 'urgent'] as const

/** Button with suggestions for the subject, made from the content of the mail. */
export function SubjectSuggestions(props: SubjectSuggestionsProps): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={400} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconBulb size={13} />}
          onClick={() => setOpen(true)}
        >
          {t('content.subject.suggest')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('content.subject.suggest')} className={classes.suggestions}>
        {isOpen && (
          <Suggestions
            {...props}
            onPick={suggestion => {
              props.onPick(suggestion)
              setOpen(false)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function Suggestions({ sourceOf, lang, onPick }: SubjectSuggestionsProps): ReactNode {
  const [source] = useState(sourceOf)
  const { t } = useTranslation()
  const client_id = useClientId()
  const [tone, setTone] = useState<(typeof tones)[number]>('neutral')
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(generateSubject, { source, lang, tone }),
    queryFn: ({ signal }) =>
      api.call(generateSubject, {
        params: { client_id },
        body: { html: source || ' ', lang, tone, n: 6 },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('content.subject.tone')}
        value={tone}
        onChange={value => setTone(tones.find(known => known === value) ?? 'neutral')}
        data={tones.map(value => ({ value, label: t(`content.subject.tones.${value}`) }))}
      />
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <BlockSkeleton height={180} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('content.subject.nothing')}
        </Text>
      )}
      {data && data.length > 0 && (
        <ul>
          {data.map(suggestion => (
            <li key={suggestion.subject}>
              <button type="button" onClick={() => onPick(suggestion)}>
                <strong>{suggestion.subject}</strong>
                <span>{suggestion.preheader}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
