import { useQueryClient } from '@tanstack/react-query'
import { Form, Input, Switch } from 'antd'
import { useRef, useState } from 'react'
import { FormDialog } from '#web/FormDialog.tsx'
import { InstantPicker } from '#web/InstantPicker.tsx'
import { PictureUpload } from '#web/PictureUpload.tsx'
import { toast } from '#web/toast.ts'
import type { ContentRow } from './ContentPage.tsx'
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
  const queries = useQueryClient()
  const sending = useRef(false)
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
    if (sending.current) return { field: 'pictureId', message: '图片上传中，请稍候' }
    const broken = refuseContent({ ...values, kind })
    return broken && { field: broken.field, message: CONTENT_REFUSALS[broken.code] }
  }
  const submit = async (values: Values, idempotencyKey: string) => {
    const input = { ...values, kind, id: row?.id ?? null, updatedAt: row?.updatedAt ?? null }
    await contentApi.save(input, { idempotencyKey })
    toast.success(row ? '修改成功' : '新增成功')
    await queries.invalidateQueries({ queryKey: ['content'] })
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
      {isCarousel && (
        <Form.Item name="pictureId" label="图片">
          <PictureUpload
            purpose={CAROUSEL_PICTURE}
            label="轮播图片"
            onlyOne={ONE_PICTURE}
            onBusy={busy => {
              sending.current = busy
            }}
          />
        </Form.Item>
      )}
      <Form.Item name="title" label="标题">
        <Input maxLength={limits.title} showCount autoComplete="off" aria-required="true" />
      </Form.Item>
      <Form.Item name="body" label={isCarousel ? '说明' : '正文'}>
        <Input.TextArea
          rows={isCarousel ? 2 : 8}
          maxLength={limits.body}
          showCount
          aria-required={isCarousel ? undefined : 'true'}
        />
      </Form.Item>
      <Form.Item
        name="link"
        label="链接"
        extra="本系统页面的地址，如 /admin/order/versionsOrder；留空则不跳转"
      >
        <Input maxLength={240} autoComplete="off" />
      </Form.Item>
      <Form.Item name="publishedAt" label="发布时间" extra="到时间后才展示">
        <InstantPicker aria-required="true" />
      </Form.Item>
      <Form.Item name="enabled" label="展示" valuePropName="checked">
        <Switch />
      </Form.Item>
    </FormDialog>
  )
}

function thisMinute(): string {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
}
