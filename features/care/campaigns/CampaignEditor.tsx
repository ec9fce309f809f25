import { type RefObject, useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import type { messages } from '#features/shops/messages/contract.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf, newKey, refusalOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { DrawerBody } from '#web/form/Drawer.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { AudienceFields } from './AudienceFields.tsx'
import { CampaignCost } from './CampaignCost.tsx'
import type { Row } from './CampaignProgress.tsx'
import { CampaignSchedule } from './CampaignSchedule.tsx'
import styles from './campaigns.module.css'
import type { campaigns } from './contract.ts'
import { CAMPAIGN_FIELDS } from './fields.ts'
import { PhonePreview } from './PhonePreview.tsx'
import { CAMPAIGN_LIMITS, CAMPAIGN_REFUSALS } from './rules.ts'
import { TemplateFields } from './TemplateFields.tsx'
import {
  type CampaignDraft,
  countNow,
  EMPTY,
  type Preview,
  useCampaignDraft,
  usePreview,
  type Written,
} from './useCampaignDraft.tsx'

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

// No fields: it draws what useCampaignDraft holds.
/** Writes a message to many shops, with what it reaches and costs beside it. */
export function CampaignEditor({ row, copy, templates, dirty, onOpen, onClose }: Props) {
  const offered = templates.rows.filter(({ forCampaigns }) => forCampaigns)
  const draft = useCampaignDraft({
    kept: row && { id: row.id, revision: row.revision },
    written: row ? writtenOf(row) : copy ? { ...writtenOf(copy), scheduledAt: null } : EMPTY,
    templates: offered,
  })
  const { form, template } = draft
  dirty.current = form.dirty
  const preview = usePreview(form.draft)
  const sending = useSending({ draft, isNew: row === null, dirty, onOpen, onClose })
  return (
    <FormElement className={styles.campaignForm} onSubmit={() => void sending.send()}>
      <DrawerBody>
        <div className={styles.campaignBody}>
          <div className={styles.campaignMain}>
            <TouchControls>
              <TextField
                form={form}
                name="name"
                label={CAMPAIGN_FIELDS.name.label}
                required
                maxLength={CAMPAIGN_LIMITS.name}
                count={CAMPAIGN_LIMITS.name}
                placeholder="便于以后查找，商户看不到"
              />
              <section className={styles.campaignPart}>
                <h3>短信内容</h3>
                <TemplateFields form={form} templates={offered} template={template} />
              </section>
              <section className={styles.campaignPart}>
                <h3>
                  商户范围 <span>不选则为全部正常商户</span>
                </h3>
                <AudienceFields form={form} />
              </section>
              <section className={styles.campaignPart}>
                <h3>发送时间</h3>
                <CampaignSchedule form={form} />
              </section>
            </TouchControls>
          </div>
          <div className={styles.campaignSide}>
            <PhonePreview
              signature={templates.signature}
              template={template}
              params={form.draft.params}
              shopNames={preview.data?.samples.map(({ shopName }) => shopName) ?? []}
            />
            {preview.isError ? (
              <p className={styles.campaignError} role="alert">
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
      </DrawerBody>
      <EditorBar draft={draft} preview={preview.isError ? undefined : preview.data} sending={sending} />
    </FormElement>
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
    <footer className={styles.campaignBar}>
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
        changes
        busy={draft.isSaving && !sending.busy}
        disabled={busy ? true : !draft.form.dirty && draft.kept ? '没有需要保存的修改' : null}
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
          {draft.form.draft.scheduledAt === null ? '发送' : '定时发送'}
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

type SendingContext = Pick<Props, 'dirty' | 'onOpen' | 'onClose'> & { draft: CampaignDraft; isNew: boolean }

/** Keeping and sending: refusals at their field, one question with what it costs, one key while no answer came. */
function useSending({ draft, isNew, dirty, onOpen, onClose }: SendingContext) {
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const [key, setKey] = useState(newKey)
  const written = draft.form.draft
  const tell = (error: unknown) => {
    const refusal = refusalOf(error)
    if (refusal) setKey(newKey())
    const field = refusal?.code === 'SEARCH_TOO_SHORT' ? 'audience.search' : refusal?.field
    if (field) return draft.form.refuse({ field, message: messageOf(error) })
    setMessage(messageOf(error))
    if (refusal) readAgain('campaigns.preview')
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
    if (draft.isRefused('keep')) return
    setMessage(null)
    try {
      const { id } = await draft.save()
      toast.success('已保存草稿')
      // Something was typed meanwhile: it stays here, still to be saved.
      if (!draft.isLatest(written)) return
      dirty.current = false
      if (isNew) onOpen(id)
    } catch (error) {
      tell(error)
    }
  }
  const send = () =>
    work(async () => {
      if (draft.isRefused('send')) return
      const kept = await draft.save()
      const { shops, segments, balance } = await countNow(written)
      if (!(await askToSend(written, { shops, segments, balance }))) return
      await campaignsApi.send({ ...kept, shops, segments }, { idempotencyKey: key })
      toast.success(written.scheduledAt === null ? '已提交发送' : '已定时发送')
      dirty.current = false
      onClose()
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
        ? '发出的短信不能收回。'
        : '到时按当时符合条件的商户发送和扣除，之前可以取消。'
    }`,
    confirmText: written.scheduledAt === null ? '确认发送' : '确认定时发送',
  })
}
