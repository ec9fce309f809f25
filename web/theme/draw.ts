// Particles that drift, joined by lines where they are close to each other or to the mouse (D3 §9).

const COUNT = 250
const LINK_PX = 100
const MOUSE_PX = 150
const SPEED_PX = 0.4
const RADIUS_PX = 1.6
/** Faint, so that words before them are read. */
const DOT_ALPHA = 0.4
const LINE_ALPHA = 0.22
/** Lines are drawn by so many strengths, each with one stroke. */
const STRENGTHS = 4

type Particle = { x: number; y: number; dx: number; dy: number }

/** Draws until what it returns is called. */
export function drawParticles(canvas: HTMLCanvasElement): () => void {
  const context = canvas.getContext('2d')
  if (!context) return () => undefined
  const mouse = { x: -MOUSE_PX, y: -MOUSE_PX }
  const size = { width: 0, height: 0 }
  const particles: Particle[] = []
  let frame = 0

  const fit = () => {
    const scale = devicePixelRatio
    size.width = canvas.clientWidth
    size.height = canvas.clientHeight
    canvas.width = size.width * scale
    canvas.height = size.height * scale
    context.setTransform(scale, 0, 0, scale, 0, 0)
    const colour = getComputedStyle(canvas).getPropertyValue('--accent')
    context.fillStyle = colour
    context.strokeStyle = colour
    if (particles.length === 0) particles.push(...Array.from({ length: COUNT }, () => scattered(size)))
  }
  const watchMouse = (event: PointerEvent) => {
    mouse.x = event.clientX
    mouse.y = event.clientY
  }
  const draw = () => {
    context.clearRect(0, 0, size.width, size.height)
    for (const particle of particles) move(particle, size)
    context.globalAlpha = DOT_ALPHA
    context.beginPath()
    for (const { x, y } of particles) {
      context.moveTo(x + RADIUS_PX, y)
      context.arc(x, y, RADIUS_PX, 0, 2 * Math.PI)
    }
    context.fill()
    drawLines(context, particles, mouse)
    frame = requestAnimationFrame(draw)
  }

  const sizes = new ResizeObserver(fit)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  fit()
  sizes.observe(canvas)
  dark.addEventListener('change', fit)
  addEventListener('pointermove', watchMouse, { passive: true })
  draw()
  return () => {
    cancelAnimationFrame(frame)
    sizes.disconnect()
    dark.removeEventListener('change', fit)
    removeEventListener('pointermove', watchMouse)
  }
}

function scattered({ width, height }: { width: number; height: number }): Particle {
  const angle = Math.random() * 2 * Math.PI
  const speed = SPEED_PX * (0.25 + 0.75 * Math.random())
  return {
    x: Math.random() * width,
    y: Math.random() * height,
    dx: Math.cos(angle) * speed,
    dy: Math.sin(angle) * speed,
  }
}

/** What leaves at one edge comes back at the other. */
function move(particle: Particle, { width, height }: { width: number; height: number }): void {
  particle.x = (particle.x + particle.dx + width) % width
  particle.y = (particle.y + particle.dy + height) % height
}

function drawLines(
  context: CanvasRenderingContext2D,
  particles: readonly Particle[],
  mouse: { x: number; y: number },
): void {
  const paths = Array.from({ length: STRENGTHS }, () => new Path2D())
  const link = (from: { x: number; y: number }, to: { x: number; y: number }, most: number) => {
    const distance = Math.hypot(from.x - to.x, from.y - to.y)
    const path = paths[Math.floor((1 - distance / most) * STRENGTHS)]
    if (distance >= most || !path) return
    path.moveTo(from.x, from.y)
    path.lineTo(to.x, to.y)
  }
  particles.forEach((from, at) => {
    link(from, mouse, MOUSE_PX)
    for (let other = at + 1; other < particles.length; other++) {
      const to = particles[other] as Particle
      if (Math.abs(from.x - to.x) < LINK_PX && Math.abs(from.y - to.y) < LINK_PX) link(from, to, LINK_PX)
    }
  })
  context.lineWidth = 1
  paths.forEach((path, strength) => {
    context.globalAlpha = (LINE_ALPHA * (strength + 1)) / STRENGTHS
    context.stroke(path)
  })
}
