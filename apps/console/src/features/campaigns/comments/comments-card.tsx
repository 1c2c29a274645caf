import { campaignComment, MOST_COMMENTS } from '@emma/contract/resources/campaign-comment.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './comments.module.css'
import { useComments } from './use-comments.ts'

/** Comments on a campaign: the open ones, resolved ones on request, and a form for a new one. */
export function CommentsCard({
  campaign,
}: {
  campaign: { campagne_id: number; client_id: number }
}): ReactNode {
  const { t } = useTranslation()
  const { mayCreate } = useRights(campaignComment)
  const { data, error, isPending, refetch } = useComments(campaign)
  const [showsResolved, setShowsResolved] = useState(false)
  const comments = data ?? []
  const card = useNamedInAddress(data !== undefined)
  const resolved = comments.filter(({ is_resolved }) => is_resolved).length
  const shown = comments.filter(({ is_resolved }) => showsResolved || !is_resolved)

  async function add(text: string): Promise<void> {
    const { campagne_id, client_id } = campaign
    await api.create(campaignComment, { campagne_id, text }, { params: { client_id } })
    await refresh(campaignComment)
  }

  return (
    <div id="comments" ref={card}>
      <Card
        title={t('campaigns.comments.title')}
        actions={
          resolved > 0 && (
            <Button
              size="xs"
              variant="default"
              aria-pressed={showsResolved}
              onClick={() => setShowsResolved(!showsResolved)}
            >
              {t('campaigns.comments.show_resolved', { count: resolved })}
            </Button>
          )
        }
      >
        {isPending && <BlockSkeleton height={80} />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && shown.length === 0 && <p className={classes.empty}>{t('campaigns.comments.empty')}</p>}
        {shown.length > 0 && (
          <ol className={classes.list} aria-label={t('campaigns.comments.title')}>
            {shown.map(comment => (
              <CommentItem key={comment.comment_id} comment={comment} />
            ))}
          </ol>
        )}
        {data && mayCreate && comments.length < MOST_COMMENTS && (
          <CommentForm
            label={t('campaigns.comments.new')}
            submitLabel={t('campaigns.comments.add')}
            onSubmit={add}
          />
        )}
        {comments.length >= MOST_COMMENTS && <p>{t('campaigns.comments.full', { count: MOST_COMMENTS })}</p>}
      </Card>
    </div>
  )
}

/** Scrolls to the card when the address of the screen names it, as notifications do, once its content is there. */
function useNamedInAddress(isLoaded: boolean): RefObject<HTMLDivElement | null> {
  const { hash } = useLocation()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isLoaded && hash === 'comments') card.current?.scrollIntoView()
  }, [isLoaded, hash])
  return card
}
