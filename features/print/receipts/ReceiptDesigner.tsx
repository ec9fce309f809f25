import { useState } from 'react'
import {
  type PlacedGroup,
  RECEIPT_TYPE_KEYS,
  RECEIPT_TYPES,
  type ReceiptContent,
  type ReceiptItem,
  type ReceiptType,
  type Section,
  SHEETS,
  type Sheet,
} from '#kit/print/receipt.ts'
import { SAMPLE_LENGTHS, type SampleLength } from '#kit/print/receipt-samples.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { Check } from '#web/form/Check.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { type Uploads, useUploads } from '#web/form/files/uploads.ts'
import { EmptyState } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { Tabs } from '#web/form/Tabs.tsx'
import { useForm } from '#web/form/useForm.ts'
import { DesignItems } from './DesignItems.tsx'
import { isUploaded } from './LogoField.tsx'
import { PaperStrip } from './PaperStrip.tsx'
import styles from './receipts.module.css'
import { type ReceiptDetails, receiptsApi } from './receiptsApi.tsx'
import { useLogos } from './useLogos.tsx'

type Props = { receipt: ReceiptDetails; mayEdit: boolean }

/** The panels of the documents; what is neither of the first three is other. */
const PANELS = {
  basic: '基本信息',
  goods: '商品信息',
  payment: '支付信息',
  other: '其他信息',
} as const
type Panel = keyof typeof PANELS
const panelOf = (section: Section): Panel =>
  section === 'basic' || section === 'goods' || section === 'payment' ? section : 'other'

export function ReceiptDesigner({ receipt, mayEdit }: Props) {
  const [type, setType] = useState<ReceiptType>('sale')
  const [length, setLength] = useState<SampleLength>('typical')
  const [isReprint, setReprint] = useState(false)
  const uploads = useUploads()
  // No fields: a designer: what is drawn is its draft.
  const form = useForm<{ content: ReceiptContent }>({
    initial: { content: receipt.content },
    send: ({ content }, idempotencyKey) => {
      const { id, revision, name, industryIds } = receipt
      return receiptsApi.save(
        { id, revision, name, industryIds: [...industryIds], content, groups: [] },
        { idempotencyKey },
      )
    },
    onDone: () => toast.success('保存成功'),
  })
  useLeaveGuard(form.isUnsaved, { draws: true })
  const { content } = form.draft
  return (
    <FormElement
      onSubmit={() => {
        if (mayEdit && isUploaded(uploads)) void form.submit()
      }}
    >
      <div className={styles.tools}>
        <Choice
          label="小票类型"
          options={RECEIPT_TYPE_KEYS.map(value => ({ value, label: RECEIPT_TYPES[value] }))}
          value={type}
          onChange={setType}
        />
        <Choice
          label="示例数据"
          options={(['typical', 'longest'] as const).map(value => ({ value, label: SAMPLE_LENGTHS[value] }))}
          value={length}
          onChange={setLength}
        />
        {content.enableMakeUp && (
          <Check checked={isReprint} onChange={setReprint}>
            补打
          </Check>
        )}
      </div>
      <div className={styles.design}>
        <PaperStrip content={content} sample={{ type, length, isReprint }} name={receipt.name} />
        <Panels {...{ content, mayEdit, uploads }} onChange={next => form.change({ content: next })} />
      </div>
      <p className={styles.message} role="alert">
        {form.message}
      </p>
      {form.busy && (
        <p className={styles.overlay} role="status">
          正在保存
        </p>
      )}
      {mayEdit && (
        <div className={styles.foot}>
          <ActionBar>
            <Button kind="primary" type="submit" busy={form.busy} disabled={!form.dirty && '没有修改'}>
              保存
            </Button>
          </ActionBar>
        </div>
      )}
    </FormElement>
  )
}

type PanelsProps = {
  content: ReceiptContent
  mayEdit: boolean
  uploads: Uploads
  onChange: (content: ReceiptContent) => void
}

function Panels({ content, mayEdit, uploads, onChange }: PanelsProps) {
  const logos = useLogos(content)
  const [panel, setPanel] = useState<string>('basic')
  const [sheet, setSheet] = useState<Sheet>('ordinary')
  const arrange = ({ groupId }: PlacedGroup, items: ReceiptItem[]) =>
    onChange({
      ...content,
      [sheet]: content[sheet].map(one => (one.groupId === groupId ? { ...one, items } : one)),
    })
  const change = (group: PlacedGroup, item: ReceiptItem, changed: Partial<ReceiptItem>) =>
    arrange(
      group,
      group.items.map(old => (old.id === item.id ? { ...old, ...changed } : old)),
    )
  return (
    <section className={styles.panels} aria-label="小票内容">
      <Choice
        label="修改哪一种纸"
        options={(['ordinary', 'wide'] as const).map(value => ({ value, label: SHEETS[value] }))}
        value={sheet}
        onChange={setSheet}
      />
      <Tabs
        shown={panel}
        onChange={setPanel}
        tabs={(Object.keys(PANELS) as Panel[]).map(key => {
          const groups = content[sheet].filter(({ section }) => panelOf(section) === key)
          return {
            key,
            label: PANELS[key],
            content:
              groups.length === 0 ? (
                <EmptyState title={`没有${PANELS[key]}板块`}>在「编辑小票」中添加信息分组</EmptyState>
              ) : (
                groups.map(group => (
                  <DesignItems
                    key={group.groupId}
                    group={group}
                    {...{ mayEdit, logos, onBusy: uploads.at(`${sheet} ${group.groupId}`) }}
                    onArrange={items => arrange(group, items)}
                    onChange={(item, changed) => change(group, item, changed)}
                  />
                ))
              ),
          }
        })}
      />
    </section>
  )
}
