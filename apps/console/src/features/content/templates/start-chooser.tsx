import { queryKeys } from '@emma/client/query-keys.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { retryBusy } from '../../../shell/resource/retry-busy.ts'
import { builtInStarters } from './built-in-starters.ts'
import classes from '../content.module.css'
import { MailThumbnail } from './mail-thumbnail.tsx'
import type { Start } from './starters.ts'

/** Lets the user choose the starting point of a new template: a built-in design or a minimal one. */
export function StartChooser({ onChoose }: { onChoose: (start: Start) => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="start-title">
      <h2 id="start-title" className={classes.startTitle}>
        {t('content.start.title')}
      </h2>
      <div className={classes.gallery}>
        {builtInStarters.map(({ id, start }) => (
          <UnstyledButton key={id} className={classes.card} onClick={() => onChoose(start)}>
            <StartThumbnail id={id} start={start} />
            <span className={classes.cardText}>
              <span className={classes.cardName}>{t(`content.start.${id}.name`)}</span>
              <span className={classes.cardNote}>{t(`content.start.${id}.text`)}</span>
            </span>
          </UnstyledButton>
        ))}
      </div>
    </section>
  )
}

function StartThumbnail({ id, start }: { id: string; start: Start }): ReactNode {
  const { data } = useQuery({
    queryKey: queryKeys.action(renderUnsaved, { start: id }),
    queryFn: ({ signal }) =>
      api.call(renderUnsaved, { params: { id: 0, member_id: 0 }, body: start, signal }),
    staleTime: Infinity,
    ...retryBusy,
  })
  return <MailThumbnail html={data?.html ?? null} />
}
