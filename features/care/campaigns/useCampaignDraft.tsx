// What is written in the editor: kept on the server as a draft, counted while it changes, and sent as it was confirmed.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, newKey, refusalOf } from '#web/client/api.ts'
import { afterPause } from '#web/client/ready.ts'
import { type Broken, type Form, useForm } from '#web/form/useForm.ts'
import type { AudienceFilters } from './AudienceWords.tsx'
import type { campaigns } from './contract.ts'
import {
  brokenForSending,
  brokenInDraft,
  CAMPAIGN_REFUSALS,
  type CampaignTemplate,
  type FieldRefusal,
  writtenVariables,
} from './rules.ts'

const campaignsApi = api<typeof campaigns>('campaigns')
const COUNTED_AFTER_MS = 350

export type Written = {
  name: string
  templateKey: string
  params: Record<string, string>
  audience: AudienceFilters
  scheduledAt: string | null
}
export type CampaignForm = Form<Written>
export type Preview = Out<typeof campaigns.preview>
type Kept = { id: number; revision: number }

export const EMPTY: Written = { name: '', templateKey: '', params: {}, audience: {}, scheduledAt: null }

type Start<Template> = { kept: Kept | null; written: Written; templates: readonly Template[] }

/** The form, the template that is chosen in it, and the draft as the server keeps it. */
export function useCampaignDraft<Template extends CampaignTemplate>(start: Start<Template>) {
  const templateOf = ({ templateKey }: Written) => start.templates.find(({ key }) => key === templateKey)
  const toSend = (written: Written) => brokenForSending(written, templateOf(written), new Date())
  // No fields: the variables of the template that is chosen, kept as a draft while they are typed.
  const form = useForm({ initial: start.written, judge: written => toSend(written).map(inWords) })
  const template = templateOf(form.draft)
  const latest = useRef(form.draft)
  latest.current = form.draft
  const [kept, setKept] = useState(start.kept)
  const [key, setKey] = useState(newKey)
  const saving = useMutation({
    mutationFn: (written: Written) =>
      campaignsApi.save({ ...kept, ...withShownParams(written, template) }, { idempotencyKey: key }),
    onSuccess: (answer, written) => {
      setKept(answer)
      // What was typed meanwhile is still to be saved.
      form.rebase(written, latest.current)
      setKey(newKey())
    },
    onError: error => {
      if (refusalOf(error)) setKey(newKey())
    },
  })
  const show = (broken: readonly FieldRefusal[]): boolean => {
    for (const { field } of broken) form.touch(field)
    if (broken[0]) form.focus(broken[0].field)
    return broken.length > 0
  }
  return {
    form,
    template,
    kept,
    isSaving: saving.isPending,
    /** Shows all that keeps it from being kept or sent, and focuses the first; false when nothing does. */
    isRefused: (what: 'keep' | 'send') =>
      show(
        what === 'keep'
          ? brokenInDraft(withShownParams(form.draft, template), new Date())
          : toSend(form.draft),
      ),
    /** The draft as the server keeps it; written anew only where it changed. */
    save: async (): Promise<Kept> => (kept && !form.dirty ? kept : saving.mutateAsync(form.draft)),
    /** Whether nothing was typed since. */
    isLatest: (written: Written) => latest.current === written,
  }
}

export type CampaignDraft = ReturnType<typeof useCampaignDraft>

function inWords({ field, code }: FieldRefusal): Broken {
  return { field, message: CAMPAIGN_REFUSALS[code] }
}

/** Without what was written for a template that is not chosen any more: nobody sees it, so nobody could mend it. */
function withShownParams(written: Written, template: CampaignTemplate | undefined): Written {
  if (!template) return written
  const shown = writtenVariables(template).map(({ name }) => [name, written.params[name] ?? ''])
  return { ...written, params: Object.fromEntries(shown) }
}

/** Counted a moment after the last change; the former figures stay until then. */
export function usePreview({ templateKey, params, audience }: Written) {
  const wanted = { templateKey, params, audience }
  const text = JSON.stringify(wanted)
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    return text === asked ? undefined : afterPause(() => setAsked(text), COUNTED_AFTER_MS)
  }, [text, asked])
  const query = useQuery({
    ...campaignsApi.preview.query(JSON.parse(asked)),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return { ...query, isBehind: asked !== text || query.isFetching }
}

/** Counted now, for the question before it is sent. */
export function countNow({ templateKey, params, audience }: Written): Promise<Preview> {
  return campaignsApi.preview({ templateKey, params, audience })
}
