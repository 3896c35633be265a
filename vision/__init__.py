"""The eye: pixels to labels. Knows numpy and OpenCV; knows no rule and no device."""
