import './hero-shapes.css';

/** Where the landing page has its phone and its card: behind the veil of the sign-in their outlines are all one sees. */
export function HeroShapes() {
  return (
    <div className="hero-pictures" aria-hidden="true">
      <div className="hero-phone">
        <div className="shape-phone">
          <i />
        </div>
      </div>
      <div className="hero-card shape-card">
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}
