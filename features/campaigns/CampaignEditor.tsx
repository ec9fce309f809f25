import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { TouchControls } from '#features/merchants/TouchControls.tsx'
import type { messages } from '#features/messages/contract.ts'
import { MissingPay } from '#features/payments/MissingPay.tsx'
import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf, newKey, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import { AudienceFields } from './AudienceFields.tsx'
import { CampaignCost } from './CampaignCost.tsx'
import type { Row } from './CampaignProgress.tsx'
import { CampaignSchedule } from './CampaignSchedule.tsx'
import type { campaigns } from './contract.ts'
import { FieldBox } from './FieldBox.tsx'
import { PhonePreview } from './PhonePreview.tsx'
import {
  CAMPAIGN_LIMITS,
  CAMPAIGN_REFUSALS,
  type CampaignRefusal,
  refuseDraft,
  refuseSending,
} from './rules.ts'
import { type NamedTemplate, TemplateFields } from './TemplateFields.tsx'
import {
  type CampaignDraft,
  countNow,
  EMPTY,
  type Preview,
  useCampaignDraft,
  usePreview,
  type Written,
} from './useCampaignDraft.tsx'
import './campaigns.css'

const campaignsApi = api<typeof campaigns>('campaigns')

type Props = {
  /** The draft, or null for a new one, which may begin as a copy. */
  row: Row | null
  copy: Row | null
  templates: Out<typeof messages.templates>
  dirty: RefObject<boolean>
  onOpen: (campaign: number | 'new') => void
  onClose: () => void
}

function writtenOf({ name, templateKey, params, audience, scheduledAt }: Row): Written {
  return { name, templateKey, params, audience, scheduledAt }
}

/** Writes a message to many shops, with what it reaches and costs beside it. */
export function CampaignEditor({ row, copy, templates, dirty, onOpen, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const draft = useCampaignDraft({
    kept: row && { id: row.id, revision: row.revision },
    written: row ? writtenOf(row) : copy ? { ...writtenOf(copy), scheduledAt: null } : EMPTY,
  })
  const { written, refusal } = draft
  dirty.current = draft.isDirty
  const offered = templates.rows.filter(({ forCampaigns }) => forCampaigns)
  const template = offered.find(({ key }) => key === written.templateKey)
  const preview = usePreview(written)
  const sending = useSending({ draft, template, form, dirty, onOpen, onClose })
  return (
    <form
      ref={form}
      onSubmit={event => {
        event.preventDefault()
        void sending.send()
      }}
    >
      <div className="merchant-drawer-body">
        <div className="campaign-body">
          <div className="campaign-main">
            <FieldBox field="name" refusal={refusal}>
              <label className="campaign-label" htmlFor="campaign-name">
                任务名称
              </label>
              <input
                id="campaign-name"
                className="input"
                value={written.name}
                maxLength={CAMPAIGN_LIMITS.name}
                aria-invalid={refusal?.field === 'name' || undefined}
                aria-required="true"
                placeholder="便于以后查找，商户看不到"
                onChange={event => draft.change({ name: event.target.value })}
              />
            </FieldBox>
            <TouchControls>
              <section className="campaign-part">
                <h3>短信内容</h3>
                <TemplateFields
                  templates={offered}
                  written={written}
                  refusal={refusal}
                  onChange={draft.change}
                />
              </section>
              <section className="campaign-part">
                <h3>
                  商户范围 <span>不选则为全部正常商户</span>
                </h3>
                <AudienceFields
                  audience={written.audience}
                  onChange={changed =>
                    draft.change({ audience: without({ ...written.audience, ...changed }) })
                  }
                />
              </section>
              <section className="campaign-part">
                <h3>发送时间</h3>
                <CampaignSchedule
                  value={written.scheduledAt}
                  refusal={refusal}
                  onChange={scheduledAt => draft.change({ scheduledAt })}
                />
              </section>
            </TouchControls>
          </div>
          <div className="campaign-side">
            <PhonePreview
              signature={templates.signature}
              template={template}
              params={written.params}
              shopNames={preview.data?.samples.map(({ shopName }) => shopName) ?? []}
            />
            {preview.isError ? (
              <p className="campaign-error" role="alert">
                {messageOf(preview.error)}
              </p>
            ) : (
              <CampaignCost preview={preview.data} behind={preview.isBehind} />
            )}
            <MissingPay
              asset="sms"
              missing={preview.data?.missing ?? 0}
              purpose="发送"
              onEnough={() => void sending.send()}
            />
          </div>
        </div>
      </div>
      <EditorBar draft={draft} preview={preview.isError ? undefined : preview.data} sending={sending} />
    </form>
  )
}

function EditorBar({
  draft,
  preview,
  sending,
}: {
  draft: CampaignDraft
  preview: Preview | undefined
  sending: ReturnType<typeof useSending>
}) {
  const maySend = usePermission('campaigns.send')
  const busy = sending.busy || draft.isSaving
  return (
    <footer className="campaign-bar">
      {sending.message ? (
        <p role="alert">{sending.message}</p>
      ) : (
        <p>
          {preview && preview.segments > 0
            ? `${formatCount(preview.shops)} 家商户，约 ${formatCount(preview.segments)} 条`
            : ''}
        </p>
      )}
      <Button
        busy={draft.isSaving && !sending.busy}
        disabled={busy ? true : !draft.isDirty && draft.kept ? '没有需要保存的修改' : null}
        onClick={() => void sending.keep()}
      >
        保存草稿
      </Button>
      {maySend && (
        <Button
          kind="primary"
          type="submit"
          busy={sending.busy}
          disabled={busy ? true : refuseButton(preview)}
          onClick={event => {
            event.preventDefault()
            void sending.send()
          }}
        >
          {draft.written.scheduledAt === null ? '发送' : '定时发送'}
        </Button>
      )}
    </footer>
  )
}

function refuseButton(preview: Preview | undefined): string | null {
  if (!preview) return null
  if (preview.shops === 0) return CAMPAIGN_REFUSALS.AUDIENCE_EMPTY
  return preview.missing > 0 ? CAMPAIGN_REFUSALS.SMS_INSUFFICIENT : null
}

function without(audience: Written['audience']): Written['audience'] {
  return Object.fromEntries(Object.entries(audience).filter(([, value]) => value !== undefined))
}

type SendingContext = Pick<Props, 'dirty' | 'onOpen' | 'onClose'> & {
  draft: CampaignDraft
  template: NamedTemplate | undefined
  form: RefObject<HTMLFormElement | null>
}

/** Keeping and sending: refusals at their field, one question with what it costs, one key while no answer came. */
function useSending({ draft, template, form, dirty, onOpen, onClose }: SendingContext) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const [key, setKey] = useState(newKey)
  const show = (field: string, code: CampaignRefusal) => {
    draft.setRefusal({ field, code })
    const box = [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find(
      element => element.dataset.field === field,
    )
    box?.querySelector<HTMLElement>('input, [tabindex]')?.focus()
  }
  const tell = (error: unknown) => {
    const refusal = refusalOf(error)
    if (refusal) setKey(newKey())
    if (refusal?.field && refusal.code in CAMPAIGN_REFUSALS)
      return show(refusal.field, refusal.code as CampaignRefusal)
    setMessage(messageOf(error))
    if (refusal) void queries.invalidateQueries({ queryKey: ['campaigns', 'preview'] })
  }
  const work = async (doing: () => Promise<void>) => {
    if (busy) return
    setMessage(null)
    setBusy(true)
    try {
      await doing()
    } catch (error) {
      tell(error)
    } finally {
      setBusy(false)
    }
  }
  const keep = async () => {
    const broken = refuseDraft(draft.written)
    if (broken) return show(broken.field, broken.code)
    setMessage(null)
    try {
      const isNew = draft.kept === null
      const { id } = await draft.save()
      toast.success('已保存草稿')
      dirty.current = false
      if (isNew) onOpen(id)
    } catch (error) {
      tell(error)
    }
  }
  const send = () =>
    work(async () => {
      const broken = refuseSending(draft.written, template, new Date())
      if (broken) return show(broken.field, broken.code)
      const kept = await draft.save()
      const { shops, segments, balance } = await countNow(draft.written)
      if (!(await askToSend(draft.written, { shops, segments, balance }))) return
      await campaignsApi.send({ ...kept, shops, segments }, { idempotencyKey: key })
      toast.success(draft.written.scheduledAt === null ? '已提交发送' : '已定时发送')
      dirty.current = false
      onClose()
      for (const queryKey of [['campaigns'], ['ledger']]) void queries.invalidateQueries({ queryKey })
    })
  return { busy, message, keep, send }
}

function askToSend(
  written: Written,
  { shops, segments, balance }: Pick<Preview, 'shops' | 'segments' | 'balance'>,
): Promise<boolean> {
  const when = written.scheduledAt === null ? '' : `于 ${formatInstant(written.scheduledAt).slice(0, 16)} `
  return confirm({
    title: `${when}向 ${formatCount(shops)} 家商户发送短信？`,
    text: `预计扣除 ${formatCount(segments)} 条短信，余额由 ${formatCount(balance)} 条变为 ${formatCount(balance - segments)} 条。${
      written.scheduledAt === null
        ? '发出的短信不能撤回。'
        : '到时按当时符合条件的商户发送和扣除，之前可以取消。'
    }`,
    confirmText: written.scheduledAt === null ? '确认发送' : '确认定时发送',
  })
}
