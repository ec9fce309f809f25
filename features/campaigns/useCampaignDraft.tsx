// What is written in the editor: kept on the server as a draft, counted while it changes, and sent as it was confirmed.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Out } from '#kit/op.ts'
import { api, newKey, refusalOf } from '#web/api.ts'
import type { AudienceFilters } from './AudienceWords.tsx'
import type { campaigns } from './contract.ts'
import type { FieldRefusal } from './rules.ts'

const campaignsApi = api<typeof campaigns>('campaigns')
const COUNTED_AFTER_MS = 350

export type Written = {
  name: string
  templateKey: string
  params: Record<string, string>
  audience: AudienceFilters
  scheduledAt: string | null
}
export type Preview = Out<typeof campaigns.preview>
type Kept = { id: number; revision: number }

export const EMPTY: Written = { name: '', templateKey: '', params: {}, audience: {}, scheduledAt: null }

/** Keys that the server leaves out are no difference. */
const textOf = (written: Written) => JSON.stringify(written)

export function useCampaignDraft(start: { kept: Kept | null; written: Written }) {
  const [written, setWritten] = useState(start.written)
  const [kept, setKept] = useState(start.kept)
  const [saved, setSaved] = useState(() => textOf(start.written))
  const [refusal, setRefusal] = useState<FieldRefusal | null>(null)
  const queries = useQueryClient()
  const [key, setKey] = useState(newKey)
  const isDirty = textOf(written) !== saved

  const change = (changed: Partial<Written>) => {
    setWritten(before => ({ ...before, ...changed }))
    setRefusal(null)
  }
  const saving = useMutation({
    mutationFn: () => campaignsApi.save({ ...kept, ...written }, { idempotencyKey: key }),
    onSuccess: answer => {
      setKept(answer)
      setSaved(textOf(written))
      setKey(newKey())
      void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
    },
    onError: error => {
      if (refusalOf(error)) setKey(newKey())
    },
  })
  /** The draft as the server keeps it; written anew only where it changed. */
  const save = async (): Promise<Kept> => (kept && !isDirty ? kept : saving.mutateAsync())
  return { written, change, kept, isDirty, refusal, setRefusal, save, isSaving: saving.isPending }
}

export type CampaignDraft = ReturnType<typeof useCampaignDraft>

/** Counted a moment after the last change; the former figures stay until then. */
export function usePreview({ templateKey, params, audience }: Written) {
  const wanted = { templateKey, params, audience }
  const text = JSON.stringify(wanted)
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), COUNTED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  const query = useQuery({
    queryKey: ['campaigns', 'preview', asked],
    queryFn: () => campaignsApi.preview(JSON.parse(asked)),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return { ...query, isBehind: asked !== text || query.isFetching }
}

/** Counted now, for the question before it is sent. */
export function countNow({ templateKey, params, audience }: Written): Promise<Preview> {
  return campaignsApi.preview({ templateKey, params, audience })
}
