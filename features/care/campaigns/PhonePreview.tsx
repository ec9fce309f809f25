import { Fragment, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { segmentsOf } from '#kit/words/segments.ts'
import { Button } from '#web/controls/Button.tsx'
import styles from './campaigns.module.css'
import { type CampaignTemplate, paramsFor, SHOP_VARIABLE } from './rules.ts'

type Props = {
  signature: string
  template: CampaignTemplate | undefined
  params: Readonly<Record<string, string>>
  /** Shops that would get it, to be looked at one after the other; none where none is known. */
  shopNames: readonly string[]
}

/** The message as it arrives; what is still to be written stands in it by its name. */
export function PhonePreview({ signature, template, params, shopNames }: Props) {
  const [place, setPlace] = useState(0)
  const shopName = shopNames[place % Math.max(shopNames.length, 1)] ?? null
  const values = template ? paramsFor(template, params, shopName ?? '店铺名称') : {}
  const labelOf = (name: string) =>
    template?.variables.find(variable => variable.name === name)?.label ?? name
  const parts = template?.text.split(/\$\{(\w+)\}/) ?? []
  const text = parts.map((part, at) => (at % 2 === 0 ? part : values[part] || labelOf(part))).join('')
  const segments = segmentsOf(signature, text)
  return (
    <figure className={styles.campaignPhone} aria-label="短信预览">
      <figcaption>
        {shopName ? `发给「${shopName}」` : '短信预览'}
        {shopNames.length > 1 && (
          <Button kind="link" onClick={() => setPlace(place + 1)}>
            换一家
          </Button>
        )}
      </figcaption>
      {template ? (
        <>
          <blockquote className={styles.campaignBubble}>
            {`【${signature}】`}
            {parts.map((part, at) =>
              at % 2 === 0 ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order.
                <Fragment key={at}>{part}</Fragment>
              ) : values[part] && (part !== SHOP_VARIABLE || shopName) ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order.
                <Fragment key={at}>{values[part]}</Fragment>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order.
                <mark key={at}>{labelOf(part)}</mark>
              ),
            )}
          </blockquote>
          <small>
            共 {formatCount(`【${signature}】${text}`.length)} 字，计费 {formatCount(segments)} 条
          </small>
        </>
      ) : (
        <small>选择模板后，这里显示商户收到的短信</small>
      )}
    </figure>
  )
}
