import { useState } from 'react'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { SwitchField } from '#web/form/Check.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { PictureField } from '#web/form/files/Upload.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { TextField } from '#web/form/TextField.tsx'
import type { ContentRow } from './ContentPage.tsx'
import { CONTENT_FIELDS } from './fields.ts'
import {
  CAROUSEL_PICTURE,
  CONTENT_KINDS,
  CONTENT_LIMITS,
  CONTENT_REFUSALS,
  type ContentKind,
  ONE_PICTURE,
  refuseContent,
} from './rules.ts'
import { contentApi } from './Shown.tsx'

type Values = {
  title: string
  body: string
  pictureId: string | null
  link: string
  enabled: boolean
  publishedAt: string
}
type Props = { kind: ContentKind; row: ContentRow | null; onClose: () => void }

/** A new entry of a kind, or one that is there. */
export default function ContentDialog({ kind, row, onClose }: Props) {
  const uploads = useUploads()
  const [now] = useState(thisMinute)
  const isCarousel = kind === 'carousel'
  const limits = CONTENT_LIMITS[kind]
  const initial: Values = {
    title: row?.title ?? '',
    body: row?.body ?? '',
    pictureId: row?.pictureId ?? null,
    link: row?.link ?? '',
    enabled: row?.enabled ?? true,
    publishedAt: row?.publishedAt ?? now,
  }
  const refuse = (values: Values) => {
    const sending = uploads.broken()
    if (sending) return sending
    const broken = refuseContent({ ...values, kind })
    return broken && { field: broken.field, message: CONTENT_REFUSALS[broken.code] }
  }
  const submit = async (values: Values, idempotencyKey: string) => {
    const input = { ...values, kind, id: row?.id ?? null, updatedAt: row?.updatedAt ?? null }
    await contentApi.save(input, { idempotencyKey })
    toast.success(row ? '修改成功' : '新增成功')
    await reread()
  }
  return (
    <FormDialog<Values>
      title={row ? `编辑${CONTENT_KINDS[kind]}` : `新增${CONTENT_KINDS[kind]}`}
      submitText="保存"
      initial={initial}
      refuse={refuse}
      onSubmit={submit}
      onClose={onClose}
    >
      {form => (
        <>
          {isCarousel && (
            <PictureField
              form={form}
              name="pictureId"
              label={CONTENT_FIELDS.picture.label}
              picture="轮播图片"
              purpose={CAROUSEL_PICTURE}
              onlyOne={ONE_PICTURE}
              uploads={uploads}
            />
          )}
          <TextField
            form={form}
            name="title"
            label={CONTENT_FIELDS.title.label}
            maxLength={limits.title}
            count={limits.title}
            required
          />
          <TextField
            form={form}
            name="body"
            label={isCarousel ? '说明' : '正文'}
            rows={isCarousel ? 2 : 8}
            maxLength={limits.body}
            count={limits.body}
            required={!isCarousel}
          />
          <TextField
            form={form}
            name="link"
            label={CONTENT_FIELDS.link.label}
            hint="本系统页面的地址，如 /admin/order/versionsOrder；留空则不跳转"
            maxLength={240}
          />
          <Field
            form={form}
            name="publishedAt"
            label={CONTENT_FIELDS.publishedAt.label}
            hint="到时间后才展示"
            required
          >
            {control => (
              <InstantPicker
                {...control}
                value={form.draft.publishedAt}
                onChange={publishedAt => form.change({ publishedAt })}
              />
            )}
          </Field>
          <SwitchField form={form} name="enabled" label="展示" />
        </>
      )}
    </FormDialog>
  )
}

function thisMinute(): string {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
}
