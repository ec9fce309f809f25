import { useState } from 'react'
import type { LabelData } from '#kit/print/label.ts'
import { SAMPLE_WORDS, SAMPLES, type SampleKey } from '#kit/print/samples.ts'
import { messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import styles from './designer.module.css'
import { labelsApi } from './labelsApi.tsx'

export type Sample = { key: SampleKey; shop: { id: number; data: LabelData } | null; data: LabelData }
export const FIRST_SAMPLE: Sample = { key: 'typical', shop: null, data: SAMPLES.typical }

export const sampleWith = (key: SampleKey, shop: Sample['shop']): Sample => ({
  ...{ key, shop },
  data: shop ? { ...SAMPLES[key], ...shop.data } : SAMPLES[key],
})

type Props = { sample: Sample; onChange: (sample: Sample) => void }

/** Whose data the label is seen with: made-up ones of three lengths, with a shop's own name, phone and address on request. */
export function SampleChoice({ sample, onChange }: Props) {
  const [asking, setAsking] = useState(false)
  const put = (key: SampleKey, shop: Sample['shop']) => onChange(sampleWith(key, shop))
  return (
    <div className={styles.sample}>
      <span aria-hidden="true">示例数据</span>
      <Choice
        label="示例数据"
        value={sample.key}
        options={(Object.keys(SAMPLE_WORDS) as SampleKey[]).map(value => ({
          value,
          label: SAMPLE_WORDS[value],
        }))}
        onChange={key => put(key, sample.shop)}
      />
      <Button kind="link" onClick={() => (sample.shop ? put(sample.key, null) : setAsking(true))}>
        {sample.shop ? `不用店铺 ${sample.shop.id}` : '用店铺资料'}
      </Button>
      {asking && (
        <ShopDialog
          onClose={() => setAsking(false)}
          onShop={shop => {
            put(sample.key, shop)
            setAsking(false)
          }}
        />
      )}
    </div>
  )
}

type ShopProps = { onClose: () => void; onShop: (shop: NonNullable<Sample['shop']>) => void }

function ShopDialog({ onClose, onShop }: ShopProps) {
  const [id, setId] = useState('')
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState(false)
  const find = async () => {
    if (id.length === 0) return setMessage('请输入商户ID')
    setBusy(true)
    try {
      const { shop } = await labelsApi.shopSample({ merchantId: Number(id) })
      if (shop) onShop(shop)
      else setMessage('没有这个商户ID')
    } catch (error) {
      setMessage(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="用店铺资料预览"
      onClose={onClose}
      dirty={false}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="primary" changes={false} busy={busy} onClick={() => void find()}>
            使用
          </Button>
        </>
      }
    >
      <DialogText>
        <div className={styles.shop}>
          <Labelled label="商户ID">
            <TextInput
              data-autofocus
              digits
              maxLength={8}
              value={id}
              aria-describedby="label-shop-note"
              onChange={text => {
                setId(text)
                setMessage('')
              }}
              onKeyDown={event => {
                if (event.key === 'Enter') void find()
              }}
            />
          </Labelled>
          <p
            id="label-shop-note"
            className={styles.hint}
            role="status"
            data-broken={message !== '' || undefined}
          >
            {message || '店名、电话和地址用该店铺的，其余仍是示例数据'}
          </p>
        </div>
      </DialogText>
    </Dialog>
  )
}
