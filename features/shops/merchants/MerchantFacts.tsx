import type { ReactNode } from 'react'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { textOf } from '#kit/declare/field-text.ts'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { PhoneNumber } from '#web/controls/format.tsx'
import { Fact } from '#web/facts/Facts.tsx'
import type { Merchant } from './contract.ts'
import { MERCHANT_FACTS, MERCHANT_FIELDS } from './fields.ts'
import type { Options } from './MerchantFields.tsx'
import { InPlace } from './MerchantInPlace.tsx'
import { ExpiryText, StatusText, VerificationText } from './MerchantTexts.tsx'
import styles from './merchants.module.css'
import { STORE_KINDS } from './rules.ts'
import {
  AccountFact,
  AcquirerFact,
  OwnerPapersFact,
  PasswordFact,
  PaymentApplicationFact,
  RecoveryCodeFact,
  ShopDepositFact,
  ShopDocuments,
  ShopPageFact,
  ShopRequests,
  SmsCreditFact,
  VerificationFact,
} from './slots.tsx'

type Props = { merchant: Merchant; options: Options | undefined; showAgent: boolean }

/** Everything known about a shop, in groups (D1 §3). */
export function MerchantFacts({ merchant, options, showAgent }: Props) {
  return (
    <>
      <Group title="基本信息">
        <Fact label="商户 ID">{merchant.id}</Fact>
        <Fact label={MERCHANT_FIELDS.storeKind.label}>
          {STORE_KINDS[merchant.storeKind]}
          {merchant.headId !== null && `（总店 ID ${merchant.headId}）`}
        </Fact>
        <PlainFacts of={MERCHANT_FACTS.basics} merchant={merchant} />
        <Fact label={MERCHANT_FIELDS.status.label}>
          <StatusText status={merchant.status} />
        </Fact>
        <Fact label="地址" wide>
          {merchant.fullAddress}
        </Fact>
      </Group>
      <Group title="登录账号">
        <Fact label={MERCHANT_FIELDS.account.label}>
          <AccountFact merchant={merchant} />
        </Fact>
        <Fact label="密码">
          <PasswordFact merchant={merchant} />
        </Fact>
        <Fact label="门店页面">
          <ShopPageFact merchant={merchant} />
        </Fact>
      </Group>
      <Group title="版本与期限">
        <Fact label={MERCHANT_FIELDS.versionName.label}>{merchant.versionName}</Fact>
        <Fact label="购买店铺数">{formatCount(merchant.shopsBought)} 家</Fact>
        <Fact label={MERCHANT_FIELDS.registeredAt.label}>{formatInstant(merchant.registeredAt)}</Fact>
        <Fact label={MERCHANT_FIELDS.expiresAt.label}>
          <ExpiryText expiresAt={merchant.expiresAt} />
        </Fact>
        <Fact label={MERCHANT_FIELDS.lastLoginAt.label}>
          {merchant.lastLoginAt === null ? '从未登录' : formatInstant(merchant.lastLoginAt)}
        </Fact>
      </Group>
      <Group title="短信与认证">
        <Fact label={MERCHANT_FIELDS.smsBalance.label}>
          <SmsCreditFact merchant={merchant} />
        </Fact>
        <Fact label={MERCHANT_FIELDS.signature.label}>
          <InPlace row={merchant} field="signature" />
        </Fact>
        <Fact label={MERCHANT_FIELDS.verificationStatus.label}>
          <VerificationText status={merchant.verificationStatus} refusal={merchant.verificationRefusal} />
          <VerificationFact merchant={merchant} />
        </Fact>
        <Fact label={MERCHANT_FIELDS.needsRecoveryCode.label}>
          <RecoveryCodeFact merchant={merchant} />
        </Fact>
        {merchant.verificationStatus === 'failed' && (
          <Fact label="未通过原因" wide>
            {merchant.verificationRefusal}
          </Fact>
        )}
      </Group>
      <ShopRequests merchant={merchant} />
      <ShopDocuments merchant={merchant} />
      <PaymentGroup merchant={merchant} options={options} />
      <Group title="其他">
        <PlainFacts of={MERCHANT_FACTS.others} merchant={merchant} />
        {showAgent && (
          <Fact label={MERCHANT_FIELDS.agentName.label}>
            <AgentLink id={merchant.agentId}>
              {merchant.agentName}（{merchant.agentId}）
            </AgentLink>
          </Fact>
        )}
        <Fact label={MERCHANT_FIELDS.remark.label} wide>
          <InPlace row={merchant} field="remark" />
        </Fact>
      </Group>
    </>
  )
}

type PlainProps = { of: readonly (keyof typeof MERCHANT_FIELDS & keyof Merchant)[]; merchant: Merchant }

/** What is shown as it stands. */
function PlainFacts({ of, merchant }: PlainProps) {
  return of.map(key => (
    <Fact key={key} label={MERCHANT_FIELDS[key].label}>
      {MERCHANT_FIELDS[key].kind === 'phone' && merchant[key] ? (
        <PhoneNumber number={String(merchant[key])} />
      ) : (
        textOf(MERCHANT_FIELDS[key], merchant[key])
      )}
    </Fact>
  ))
}

function PaymentGroup({ merchant, options }: { merchant: Merchant; options: Options | undefined }) {
  const method = options?.paymentMethods.find(offered => offered.id === merchant.paymentMethodId)
  const name = merchant.paymentMethodId === null ? '未配置' : method?.name
  return (
    <Group title="支付配置">
      <Fact label={MERCHANT_FIELDS.paymentMethodId.label}>{name}</Fact>
      <Fact label={MERCHANT_FIELDS.payEnabled.label}>
        {merchant.payEnabled ? '已开通' : '未开通'} <PaymentApplicationFact merchant={merchant} />{' '}
        <AcquirerFact merchant={merchant} /> <OwnerPapersFact merchant={merchant} />
      </Fact>
      <Fact label="押金">
        <ShopDepositFact merchant={merchant} />
      </Fact>
      {method?.fields.map(field => (
        <Fact key={field.key} label={field.label}>
          {field.secret
            ? merchant.paymentSecretsSet.includes(field.key)
              ? '已设置'
              : '未设置'
            : merchant.paymentConfig[field.key]}
        </Fact>
      ))}
    </Group>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.facts}>
      <h3 className={styles.factsTitle}>{title}</h3>
      <dl className={styles.factsGrid}>{children}</dl>
    </section>
  )
}
