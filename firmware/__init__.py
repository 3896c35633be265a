"""The station: wires camera, vision, engine and lamps together. Knows devices, files and clocks; knows no rule."""
