import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';

/**
 * A table that scrolls horizontally if it does not fit. Only then it is focusable, so that the keyboard can scroll it.
 */
export function TableScroll(props: ComponentProps<'table'>): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setOverflows(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const scrollable = overflows ? { tabIndex: 0, role: 'region', 'aria-label': 'Table' } : {};
  return (
    <div className="table-scroll" ref={frame} {...scrollable}>
      <table {...props} />
    </div>
  );
}
