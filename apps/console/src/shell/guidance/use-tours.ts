import { type PlayableTour, seeTour } from '@emma/contract/actions/guidance.ts'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { showError } from '../i18n/error-text.ts'
import { loading } from '../states/loading.ts'
import { refreshGuidance } from './guidance-query.ts'
import { inLanguage } from './in-language.ts'

/**
 * Starts a tour: opens its screen, loads the player, and marks the tour as seen afterwards. Not shown if it is not wanted
 * any more when its screen is complete. Resolves when the tour has ended.
 */
export function usePlayTour(): (tour: PlayableTour, isWanted?: () => boolean) => Promise<void> {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  return (tour, isWanted = () => true) => {
    if (location.pathname !== tour.path) router.history.push(tour.path)
    const language = i18n.resolvedLanguage
    const steps = tour.steps.map(step => ({
      selector: step.selector,
      placement: step.placement,
      title: inLanguage(step, 'title', language),
      text: inLanguage(step, 'text', language),
    }))
    const labels = {
      next: t('tours.next'),
      previous: t('tours.previous'),
      done: t('tours.done'),
      close: t('tours.close'),
      progress: t('tours.progress', { current: '{{current}}', total: '{{total}}' }),
    }
    const take = async () => {
      const { playTour } = await import('./play-tour.ts')
      const isLoading = () => router.state.isLoading || loading.count() > 0
      if (!(await playTour(steps, labels, { isLoading, isWanted })) || tour.seen) return
      await api.call(seeTour, { params: { id: tour.id } })
      await refreshGuidance()
    }
    return take().catch(showError)
  }
}

/**
 * Plays the screen's autoplay tour that the user has not seen yet, if `isFree` (no modal, no recording). A user who leaves
 * the screen before it begins sees it on the next visit.
 */
export function useAutoplay(tours: readonly PlayableTour[], isFree: boolean): void {
  const { pathname } = useLocation()
  const play = usePlayTour()
  const begun = useRef(new Set<number>())
  const next = tours.find(tour => tour.autoplay && !tour.seen && tour.path === pathname)
  useEffect(() => {
    if (!isFree || next === undefined || begun.current.has(next.id)) return
    const { id, path } = next
    const isHere = () => location.pathname === path
    begun.current.add(id)
    void play(next, isHere).then(() => {
      if (!isHere()) begun.current.delete(id)
    })
  }, [isFree, next, play])
}
