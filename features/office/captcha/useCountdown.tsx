import { useEffect, useState } from 'react'

const TICK_MS = 1_000

/** Whole seconds until the moment that this browser remembers under the name, and a way to set it. */
export function useCountdown(name: string): [secondsLeft: number, start: (seconds: number) => void] {
  const [until, setUntil] = useState(() => Number(localStorage.getItem(name) ?? 0))
  const [now, setNow] = useState(Date.now)
  const running = until > now
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [running])
  useEffect(() => {
    if (!running) localStorage.removeItem(name)
  }, [running, name])
  const start = (seconds: number) => {
    const moment = Date.now() + seconds * 1_000
    localStorage.setItem(name, String(moment))
    setNow(Date.now())
    setUntil(moment)
  }
  return [Math.max(0, Math.ceil((until - now) / 1_000)), start]
}
